# Tests of netmodel/.

check_PROGRAMS += tests/netmodel/test-steady-state
TESTS += tests/netmodel/test-steady-state
tests_netmodel_test_steady_state_SOURCES = tests/netmodel/test-steady-state.c
tests_netmodel_test_steady_state_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
check_PROGRAMS += tests/netmodel/test-effects
TESTS += tests/netmodel/test-effects
tests_netmodel_test_effects_SOURCES = tests/netmodel/test-effects.c
tests_netmodel_test_effects_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_test_steady_state_LDADD = libnetmodel.la libbase.la tests/libfailalloc.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

# Topologies and routings: laws over every kind, and the golden numbers of the shared folder.
GRID_TESTS = \
	tests/netmodel/test-topology \
	tests/netmodel/test-routing \
	tests/netmodel/test-routing-laws \
	tests/netmodel/test-routing-king \
	tests/netmodel/test-confinement \
	tests/netmodel/test-graph \
	tests/netmodel/test-channel-loads \
	tests/netmodel/test-metrics \
	tests/netmodel/test-mway \
	tests/netmodel/test-paths
check_PROGRAMS += $(GRID_TESTS)
TESTS += $(GRID_TESTS)
GRID_TEST_CASES = tests/netmodel/cases.c tests/netmodel/cases.h
GRID_TEST_LIBS = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_test_topology_SOURCES = tests/netmodel/test-topology.c $(GRID_TEST_CASES)
tests_netmodel_test_topology_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_topology_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
tests_netmodel_test_routing_SOURCES = tests/netmodel/test-routing.c $(GRID_TEST_CASES)
tests_netmodel_test_routing_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_test_routing_king_SOURCES = tests/netmodel/test-routing-king.c $(GRID_TEST_CASES)
tests_netmodel_test_routing_king_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_test_confinement_SOURCES = tests/netmodel/test-confinement.c $(GRID_TEST_CASES)
tests_netmodel_test_confinement_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_confinement_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
tests_netmodel_test_graph_SOURCES = tests/netmodel/test-graph.c $(GRID_TEST_CASES)
tests_netmodel_test_graph_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_graph_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
GRAPHS = tests/netmodel/graphs/tree.graph tests/netmodel/graphs/ring.graph tests/netmodel/graphs/routed.graph \
	tests/netmodel/graphs/petersen.graph
EXTRA_DIST += $(GRAPHS)
tests_netmodel_test_routing_laws_SOURCES = tests/netmodel/test-routing-laws.c $(GRID_TEST_CASES)
tests_netmodel_test_routing_laws_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_test_channel_loads_SOURCES = tests/netmodel/test-channel-loads.c $(GRID_TEST_CASES)
tests_netmodel_test_channel_loads_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_test_metrics_SOURCES = tests/netmodel/test-metrics.c $(GRID_TEST_CASES)
tests_netmodel_test_metrics_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_metrics_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
tests_netmodel_test_mway_SOURCES = tests/netmodel/test-mway.c $(GRID_TEST_CASES)
tests_netmodel_test_mway_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_mway_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm

tests_netmodel_test_paths_SOURCES = tests/netmodel/test-paths.c $(GRID_TEST_CASES)
tests_netmodel_test_paths_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_paths_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm

# The check for deadlock.
check_PROGRAMS += tests/netmodel/test-dependency
TESTS += tests/netmodel/test-dependency
tests_netmodel_test_dependency_SOURCES = tests/netmodel/test-dependency.c $(GRID_TEST_CASES) \
	tests/netmodel/table-routing.c tests/netmodel/table-routing.h
tests_netmodel_test_dependency_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_dependency_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)

check_PROGRAMS += tests/netmodel/test-dateline
TESTS += tests/netmodel/test-dateline
tests_netmodel_test_dateline_SOURCES = tests/netmodel/test-dateline.c $(GRID_TEST_CASES)
tests_netmodel_test_dateline_LDADD = $(GRID_TEST_LIBS)

check_PROGRAMS += tests/netmodel/test-link-share
TESTS += tests/netmodel/test-link-share
tests_netmodel_test_link_share_SOURCES = tests/netmodel/test-link-share.c $(GRID_TEST_CASES)
tests_netmodel_test_link_share_LDADD = $(GRID_TEST_LIBS)

# Deadlocks at run time.
check_PROGRAMS += tests/netmodel/test-standstill
TESTS += tests/netmodel/test-standstill
tests_netmodel_test_standstill_SOURCES = tests/netmodel/test-standstill.c $(GRID_TEST_CASES) \
	tests/netmodel/table-routing.c tests/netmodel/table-routing.h
tests_netmodel_test_standstill_LDADD = $(GRID_TEST_LIBS)

# Multicasts on king networks.
check_PROGRAMS += tests/netmodel/test-multicast
TESTS += tests/netmodel/test-multicast
tests_netmodel_test_multicast_SOURCES = tests/netmodel/test-multicast.c
tests_netmodel_test_multicast_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/netmodel/test-cover
TESTS += tests/netmodel/test-cover
tests_netmodel_test_cover_SOURCES = tests/netmodel/test-cover.c
tests_netmodel_test_cover_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

# The dense twin of the engine, and what is asked of both.
check_LTLIBRARIES += tests/netmodel/libtwin.la
tests_netmodel_libtwin_la_SOURCES = tests/netmodel/reference.c tests/netmodel/reference.h \
	tests/netmodel/reference-tree.c \
	tests/netmodel/outcome.c tests/netmodel/outcome.h tests/netmodel/random-cases.c tests/netmodel/random-cases.h \
	tests/netmodel/adaptive-routings.c tests/netmodel/adaptive-routings.h
TWIN_TESTS = \
	tests/netmodel/test-equivalence \
	tests/netmodel/test-closed-forms \
	tests/netmodel/test-bubble-rule \
	tests/netmodel/test-flow-control \
	tests/netmodel/test-copies \
	tests/netmodel/test-digests \
	tests/netmodel/test-network
check_PROGRAMS += $(TWIN_TESTS)
TESTS += $(TWIN_TESTS)
TWIN_LIBS = tests/netmodel/libtwin.la libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_test_equivalence_LDADD = $(TWIN_LIBS)
tests_netmodel_test_closed_forms_LDADD = $(TWIN_LIBS)
tests_netmodel_test_bubble_rule_LDADD = $(TWIN_LIBS)
tests_netmodel_test_flow_control_LDADD = $(TWIN_LIBS)
tests_netmodel_test_copies_LDADD = $(TWIN_LIBS)
tests_netmodel_test_digests_LDADD = $(TWIN_LIBS)
EXTRA_DIST += tests/golden/flit-digests.csv
tests_netmodel_test_network_LDADD = $(TWIN_LIBS) tests/libfailalloc.la
tests_netmodel_test_network_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)

# Shared channels, against a dense twin of their own.
check_PROGRAMS += tests/netmodel/test-shared
TESTS += tests/netmodel/test-shared
tests_netmodel_test_shared_SOURCES = tests/netmodel/test-shared.c tests/netmodel/shared-reference.c \
	tests/netmodel/shared-reference.h
tests_netmodel_test_shared_LDADD = $(GRID_TEST_LIBS)
check_PROGRAMS += tests/netmodel/test-shared-trees
TESTS += tests/netmodel/test-shared-trees
tests_netmodel_test_shared_trees_LDADD = $(GRID_TEST_LIBS)

# The teeth of test-equivalence: each mutant of the engine must be found.
MUTANTS = \
	tests/netmodel/mutants/bubble-dropped.sed \
	tests/netmodel/mutants/departures-forgotten.sed \
	tests/netmodel/mutants/draw-of-next-cycle.sed \
	tests/netmodel/mutants/flit-arrives-early.sed \
	tests/netmodel/mutants/flit-buffer-shared.sed \
	tests/netmodel/mutants/flit-credit-early.sed \
	tests/netmodel/mutants/flit-link-not-held.sed \
	tests/netmodel/mutants/flit-losers-sleep.sed \
	tests/netmodel/mutants/flit-message-overtakes.sed \
	tests/netmodel/mutants/flit-oldest-by-number.sed \
	tests/netmodel/mutants/flit-padding-kept.sed \
	tests/netmodel/mutants/flit-pipeline-behind-tail.sed \
	tests/netmodel/mutants/flit-place-not-asked.sed \
	tests/netmodel/mutants/flit-queue-of-one-packet.sed \
	tests/netmodel/mutants/flit-queue-ties-from-zero.sed \
	tests/netmodel/mutants/flit-random-link-as-output.sed \
	tests/netmodel/mutants/flit-random-of-next-cycle.sed \
	tests/netmodel/mutants/flit-source-without-pipeline.sed \
	tests/netmodel/mutants/flit-turn-stands.sed \
	tests/netmodel/mutants/injectors-not-in-turn.sed \
	tests/netmodel/mutants/largest-need-wakes.sed \
	tests/netmodel/mutants/link-pointer-stands.sed \
	tests/netmodel/mutants/message-overtakes.sed \
	tests/netmodel/mutants/needs-forgotten.sed \
	tests/netmodel/mutants/onward-sleeper-forgotten.sed \
	tests/netmodel/mutants/ring-entered-by-channel.sed \
	tests/netmodel/mutants/ring-reserves-length.sed \
	tests/netmodel/mutants/room-below-zero-forgotten.sed \
	tests/netmodel/mutants/room-one-cycle-early.sed \
	tests/netmodel/mutants/round-robin-pointer-stands.sed \
	tests/netmodel/mutants/sent-flits-not-counted.sed \
	tests/netmodel/mutants/tie-of-cycle-zero.sed \
	tests/netmodel/mutants/timed-wake-lost.sed
TESTS += tests/netmodel/check-mutants
EXTRA_DIST += tests/netmodel/check-mutants $(MUTANTS)
check_DATA = tests/netmodel/mutant-build
CLEANFILES += tests/netmodel/mutant-build
tests/netmodel/mutant-build: Makefile
	$(AM_V_GEN)$(MKDIR_P) tests/netmodel && { \
	echo "MUTANT_COMPILE='$(CC) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -w'"; \
	echo "MUTANT_LINK='$(LIBTOOL) --quiet --tag=CC --mode=link $(CC) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)'"; \
	echo "MUTANT_LIBS='$(TWIN_LIBS) $(LIBS)'"; } > $@

# Synthetic traffic.
TRAFFIC_TESTS = tests/netmodel/test-pattern tests/netmodel/test-traffic
check_PROGRAMS += $(TRAFFIC_TESTS)
TESTS += $(TRAFFIC_TESTS)
tests_netmodel_test_pattern_SOURCES = tests/netmodel/test-pattern.c $(GRID_TEST_CASES)
tests_netmodel_test_pattern_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_pattern_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
tests_netmodel_test_traffic_SOURCES = tests/netmodel/test-traffic.c $(GRID_TEST_CASES)
tests_netmodel_test_traffic_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_traffic_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm

# Threads inside one network.
check_PROGRAMS += tests/netmodel/test-threads
TESTS += tests/netmodel/test-threads
tests_netmodel_test_threads_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
