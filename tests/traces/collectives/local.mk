# Tests of traces/collectives/.
traces_collectives_tests = \
	tests/traces/collectives/test-collective-rounds \
	tests/traces/collectives/test-collectives \
	tests/traces/collectives/test-collectives-parts \
	tests/traces/collectives/test-collectives-recorded \
	tests/traces/collectives/test-collectives-tables
check_PROGRAMS += $(traces_collectives_tests)
TESTS += $(traces_collectives_tests)
tests_traces_collectives_test_collective_rounds_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_collectives_test_collective_rounds_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_collectives_test_collectives_SOURCES = \
	tests/traces/collectives/test-collectives.c \
	tests/traces/collectives/forms.c tests/traces/collectives/forms.h \
	tests/traces/collectives/model.c tests/traces/collectives/models.def tests/traces/collectives/model.h
tests_traces_collectives_test_collectives_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_collectives_test_collectives_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_collectives_test_collectives_parts_SOURCES = \
	tests/traces/collectives/test-collectives-parts.c \
	tests/traces/collectives/forms.c tests/traces/collectives/forms.h \
	tests/traces/collectives/model.c tests/traces/collectives/models.def tests/traces/collectives/model.h
tests_traces_collectives_test_collectives_parts_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)
tests_traces_collectives_test_collectives_recorded_SOURCES = \
	tests/traces/collectives/test-collectives-recorded.c \
	tests/traces/collectives/recorded-mpich.def tests/traces/collectives/recorded-openmpi.def
tests_traces_collectives_test_collectives_recorded_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)
tests_traces_collectives_test_collectives_tables_SOURCES = \
	tests/traces/collectives/test-collectives-tables.c \
	tests/traces/collectives/model.c tests/traces/collectives/models.def tests/traces/collectives/model.h
tests_traces_collectives_test_collectives_tables_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_collectives_test_collectives_tables_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
