# Tests of traces/graph/.
traces_graph_tests = \
	tests/traces/graph/test-expansion \
	tests/traces/graph/test-graph
check_PROGRAMS += $(traces_graph_tests)
TESTS += $(traces_graph_tests)
tests_traces_graph_test_expansion_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_graph_test_expansion_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_graph_test_graph_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_graph_test_graph_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
