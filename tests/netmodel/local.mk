# Tests of netmodel/.

check_PROGRAMS += tests/netmodel/test-steady-state
TESTS += tests/netmodel/test-steady-state
tests_netmodel_test_steady_state_SOURCES = tests/netmodel/test-steady-state.c
tests_netmodel_test_steady_state_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_steady_state_LDADD = libnetmodel.la libbase.la tests/libfailalloc.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

# Topologies and routings: laws over every kind, and the golden numbers of the shared folder.
GRID_TESTS = \
	tests/netmodel/test-topology \
	tests/netmodel/test-routing \
	tests/netmodel/test-channel-loads \
	tests/netmodel/test-metrics
check_PROGRAMS += $(GRID_TESTS)
TESTS += $(GRID_TESTS)
GRID_TEST_CASES = tests/netmodel/cases.c tests/netmodel/cases.h
GRID_TEST_LIBS = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_test_topology_SOURCES = tests/netmodel/test-topology.c $(GRID_TEST_CASES)
tests_netmodel_test_topology_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_topology_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
tests_netmodel_test_routing_SOURCES = tests/netmodel/test-routing.c $(GRID_TEST_CASES)
tests_netmodel_test_routing_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_test_channel_loads_SOURCES = tests/netmodel/test-channel-loads.c $(GRID_TEST_CASES)
tests_netmodel_test_channel_loads_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_test_metrics_SOURCES = tests/netmodel/test-metrics.c $(GRID_TEST_CASES)
tests_netmodel_test_metrics_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_metrics_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
