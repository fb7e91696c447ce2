# Tests of traces/goal/.
traces_goal_tests = \
	tests/traces/goal/test-goal \
	tests/traces/goal/test-window
check_PROGRAMS += $(traces_goal_tests)
TESTS += $(traces_goal_tests)
tests_traces_goal_test_goal_SOURCES = tests/traces/goal/test-goal.c $(archive_sources)
tests_traces_goal_test_goal_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_goal_test_goal_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_goal_test_window_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)
