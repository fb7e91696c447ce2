# Tests of traces/writers/.
traces_writers_tests = \
	tests/traces/writers/test-round-trip \
	tests/traces/writers/test-writers \
	tests/traces/writers/test-writers-fail-alloc
check_PROGRAMS += $(traces_writers_tests)
TESTS += $(traces_writers_tests)
tests_traces_writers_test_round_trip_SOURCES = tests/traces/writers/test-round-trip.c $(archive_sources)
tests_traces_writers_test_round_trip_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)
tests_traces_writers_test_writers_SOURCES = tests/traces/writers/test-writers.c tests/traces/sanitizers.c tests/traces/writers/same-program.c tests/traces/writers/same-program.h \
	$(archive_sources) $(recorded_sources)
tests_traces_writers_test_writers_LDADD = $(otf2_test_libs)
tests_traces_writers_test_writers_fail_alloc_SOURCES = tests/traces/writers/test-writers-fail-alloc.c $(archive_sources)
tests_traces_writers_test_writers_fail_alloc_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_writers_test_writers_fail_alloc_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
