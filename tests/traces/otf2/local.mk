# Tests of traces/otf2/.
traces_otf2_tests = \
	tests/traces/otf2/test-creations \
	tests/traces/otf2/test-fail-alloc \
	tests/traces/otf2/test-groundtruth \
	tests/traces/otf2/test-groups \
	tests/traces/otf2/test-intercommunicators \
	tests/traces/otf2/test-invalid \
	tests/traces/otf2/test-length \
	tests/traces/otf2/test-memory \
	tests/traces/otf2/test-mutations \
	tests/traces/otf2/test-options \
	tests/traces/otf2/test-plain \
	tests/traces/otf2/test-programs \
	tests/traces/otf2/test-records \
	tests/traces/otf2/test-repairs \
	tests/traces/otf2/test-writers
check_PROGRAMS += $(traces_otf2_tests)
TESTS += $(traces_otf2_tests)
tests_traces_otf2_test_creations_SOURCES = tests/traces/otf2/test-creations.c $(archive_sources) $(recorded_sources)
tests_traces_otf2_test_creations_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_fail_alloc_SOURCES = tests/traces/otf2/test-fail-alloc.c tests/traces/sanitizers.c \
	$(archive_sources)
tests_traces_otf2_test_fail_alloc_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_otf2_test_fail_alloc_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_otf2_test_groundtruth_SOURCES = tests/traces/otf2/test-groundtruth.c $(recorded_sources)
tests_traces_otf2_test_groundtruth_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_groups_SOURCES = tests/traces/otf2/test-groups.c $(archive_sources)
tests_traces_otf2_test_groups_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_intercommunicators_SOURCES = tests/traces/otf2/test-intercommunicators.c $(archive_sources)
tests_traces_otf2_test_intercommunicators_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_invalid_SOURCES = tests/traces/otf2/test-invalid.c tests/traces/sanitizers.c $(archive_sources) \
	$(recorded_sources)
tests_traces_otf2_test_invalid_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_length_SOURCES = tests/traces/otf2/test-length.c $(archive_sources)
tests_traces_otf2_test_length_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_memory_SOURCES = tests/traces/otf2/test-memory.c $(archive_sources)
tests_traces_otf2_test_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
tests_traces_otf2_test_memory_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_mutations_SOURCES = tests/traces/otf2/test-mutations.c tests/traces/sanitizers.c $(archive_sources) $(recorded_sources)
tests_traces_otf2_test_mutations_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_options_SOURCES = tests/traces/otf2/test-options.c $(archive_sources) $(recorded_sources)
tests_traces_otf2_test_options_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_plain_SOURCES = tests/traces/otf2/test-plain.c $(archive_sources) $(recorded_sources)
tests_traces_otf2_test_plain_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_programs_SOURCES = tests/traces/otf2/test-programs.c $(recorded_sources)
tests_traces_otf2_test_programs_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_records_SOURCES = tests/traces/otf2/test-records.c $(archive_sources)
tests_traces_otf2_test_records_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_repairs_SOURCES = tests/traces/otf2/test-repairs.c $(archive_sources)
tests_traces_otf2_test_repairs_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_writers_SOURCES = tests/traces/otf2/test-writers.c $(recorded_sources)
tests_traces_otf2_test_writers_LDADD = $(otf2_test_libs)
