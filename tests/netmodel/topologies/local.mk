# Tests of netmodel/topologies/.
netmodel_topologies_tests = \
	tests/netmodel/topologies/test-graph \
	tests/netmodel/topologies/test-metrics \
	tests/netmodel/topologies/test-one-way \
	tests/netmodel/topologies/test-paths \
	tests/netmodel/topologies/test-topology
check_PROGRAMS += $(netmodel_topologies_tests)
TESTS += $(netmodel_topologies_tests)
tests_netmodel_topologies_test_graph_SOURCES = tests/netmodel/topologies/test-graph.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_graph_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_graph_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
tests_netmodel_topologies_test_metrics_SOURCES = tests/netmodel/topologies/test-metrics.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_metrics_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_metrics_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
tests_netmodel_topologies_test_one_way_SOURCES = tests/netmodel/topologies/test-one-way.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_one_way_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_topologies_test_paths_SOURCES = tests/netmodel/topologies/test-paths.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_paths_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_paths_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
tests_netmodel_topologies_test_topology_SOURCES = tests/netmodel/topologies/test-topology.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_topology_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_topology_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
GRAPHS = tests/netmodel/topologies/graphs/tree.graph tests/netmodel/topologies/graphs/ring.graph tests/netmodel/topologies/graphs/routed.graph \
	tests/netmodel/topologies/graphs/petersen.graph tests/netmodel/topologies/graphs/groups.graph
EXTRA_DIST += $(GRAPHS)
