# Tests of traces/communicators/.
traces_communicators_tests = \
	tests/traces/communicators/test-communicators \
	tests/traces/communicators/test-implied
check_PROGRAMS += $(traces_communicators_tests)
TESTS += $(traces_communicators_tests)
tests_traces_communicators_test_communicators_SOURCES = \
	tests/traces/communicators/test-communicators.c \
	tests/traces/communicators/communicator-model.c tests/traces/communicators/communicator-model.h
tests_traces_communicators_test_communicators_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_communicators_test_communicators_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_communicators_test_implied_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)
