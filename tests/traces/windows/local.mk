# Tests of traces/windows/.
traces_windows_tests = \
	tests/traces/windows/test-iterations \
	tests/traces/windows/test-windows
check_PROGRAMS += $(traces_windows_tests)
TESTS += $(traces_windows_tests)
tests_traces_windows_test_iterations_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_windows_test_iterations_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_windows_test_windows_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_windows_test_windows_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
