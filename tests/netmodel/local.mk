# Tests of netmodel/.

check_PROGRAMS += tests/netmodel/engines/test-steady-state
TESTS += tests/netmodel/engines/test-steady-state
tests_netmodel_engines_test_steady_state_SOURCES = tests/netmodel/engines/test-steady-state.c
tests_netmodel_engines_test_steady_state_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
check_PROGRAMS += tests/netmodel/simple-engines/test-effects
TESTS += tests/netmodel/simple-engines/test-effects
tests_netmodel_simple_engines_test_effects_SOURCES = tests/netmodel/simple-engines/test-effects.c
tests_netmodel_simple_engines_test_effects_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_engines_test_steady_state_LDADD = libnetmodel.la libbase.la tests/libfailalloc.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

# Topologies and routings: laws over every kind, and the golden numbers of the shared folder.
GRID_TESTS = \
	tests/netmodel/topologies/test-topology \
	tests/netmodel/routings/test-routing \
	tests/netmodel/routings/test-routing-laws \
	tests/netmodel/routings/test-routing-king \
	tests/netmodel/routings/test-confinement \
	tests/netmodel/topologies/test-graph \
	tests/netmodel/routings/test-channel-loads \
	tests/netmodel/topologies/test-metrics \
	tests/netmodel/topologies/test-mway \
	tests/netmodel/topologies/test-paths
check_PROGRAMS += $(GRID_TESTS)
TESTS += $(GRID_TESTS)
GRID_TEST_CASES = tests/netmodel/cases.c tests/netmodel/cases.h
GRID_TEST_LIBS = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_topologies_test_topology_SOURCES = tests/netmodel/topologies/test-topology.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_topology_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_topology_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
tests_netmodel_routings_test_routing_SOURCES = tests/netmodel/routings/test-routing.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_routing_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_routings_test_routing_king_SOURCES = tests/netmodel/routings/test-routing-king.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_routing_king_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_routings_test_confinement_SOURCES = tests/netmodel/routings/test-confinement.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_confinement_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_routings_test_confinement_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
tests_netmodel_topologies_test_graph_SOURCES = tests/netmodel/topologies/test-graph.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_graph_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_graph_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
GRAPHS = tests/netmodel/topologies/graphs/tree.graph tests/netmodel/topologies/graphs/ring.graph tests/netmodel/topologies/graphs/routed.graph \
	tests/netmodel/topologies/graphs/petersen.graph
EXTRA_DIST += $(GRAPHS)
tests_netmodel_routings_test_routing_laws_SOURCES = tests/netmodel/routings/test-routing-laws.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_routing_laws_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_routings_test_channel_loads_SOURCES = tests/netmodel/routings/test-channel-loads.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_channel_loads_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_topologies_test_metrics_SOURCES = tests/netmodel/topologies/test-metrics.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_metrics_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_metrics_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
tests_netmodel_topologies_test_mway_SOURCES = tests/netmodel/topologies/test-mway.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_mway_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_mway_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm

tests_netmodel_topologies_test_paths_SOURCES = tests/netmodel/topologies/test-paths.c $(GRID_TEST_CASES)
tests_netmodel_topologies_test_paths_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_topologies_test_paths_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm

# The check for deadlock.
check_PROGRAMS += tests/netmodel/deadlock/test-dependency
TESTS += tests/netmodel/deadlock/test-dependency
tests_netmodel_deadlock_test_dependency_SOURCES = tests/netmodel/deadlock/test-dependency.c $(GRID_TEST_CASES) \
	tests/netmodel/routings/table-routing.c tests/netmodel/routings/table-routing.h
tests_netmodel_deadlock_test_dependency_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_deadlock_test_dependency_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)

check_PROGRAMS += tests/netmodel/routings/test-dateline
TESTS += tests/netmodel/routings/test-dateline
tests_netmodel_routings_test_dateline_SOURCES = tests/netmodel/routings/test-dateline.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_dateline_LDADD = $(GRID_TEST_LIBS)

check_PROGRAMS += tests/netmodel/engines/test-link-share
TESTS += tests/netmodel/engines/test-link-share
tests_netmodel_engines_test_link_share_SOURCES = tests/netmodel/engines/test-link-share.c $(GRID_TEST_CASES)
tests_netmodel_engines_test_link_share_LDADD = $(GRID_TEST_LIBS)

# Deadlocks at run time.
check_PROGRAMS += tests/netmodel/engines/test-standstill
TESTS += tests/netmodel/engines/test-standstill
tests_netmodel_engines_test_standstill_SOURCES = tests/netmodel/engines/test-standstill.c $(GRID_TEST_CASES) \
	tests/netmodel/routings/table-routing.c tests/netmodel/routings/table-routing.h
tests_netmodel_engines_test_standstill_LDADD = $(GRID_TEST_LIBS)

# Multicasts on king networks.
check_PROGRAMS += tests/netmodel/multicasts/test-multicast
TESTS += tests/netmodel/multicasts/test-multicast
tests_netmodel_multicasts_test_multicast_SOURCES = tests/netmodel/multicasts/test-multicast.c
tests_netmodel_multicasts_test_multicast_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/netmodel/multicasts/test-cover
TESTS += tests/netmodel/multicasts/test-cover
tests_netmodel_multicasts_test_cover_SOURCES = tests/netmodel/multicasts/test-cover.c
tests_netmodel_multicasts_test_cover_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

# The dense twin of the engine, and what is asked of both.
check_LTLIBRARIES += tests/netmodel/engines/libtwin.la
tests_netmodel_engines_libtwin_la_SOURCES = tests/netmodel/engines/reference.c tests/netmodel/engines/reference.h \
	tests/netmodel/engines/reference-tree.c \
	tests/netmodel/engines/outcome.c tests/netmodel/engines/outcome.h tests/netmodel/engines/random-cases.c tests/netmodel/engines/random-cases.h \
	tests/netmodel/engines/adaptive-routings.c tests/netmodel/engines/adaptive-routings.h
TWIN_TESTS = \
	tests/netmodel/engines/test-equivalence \
	tests/netmodel/engines/test-closed-forms \
	tests/netmodel/engines/test-bubble-rule \
	tests/netmodel/engines/test-flow-control \
	tests/netmodel/engines/test-copies \
	tests/netmodel/engines/test-digests \
	tests/netmodel/engines/test-network
check_PROGRAMS += $(TWIN_TESTS)
TESTS += $(TWIN_TESTS)
TWIN_LIBS = tests/netmodel/engines/libtwin.la libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_engines_test_equivalence_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_closed_forms_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_bubble_rule_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_flow_control_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_copies_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_digests_LDADD = $(TWIN_LIBS)
EXTRA_DIST += tests/golden/flit-digests.csv
tests_netmodel_engines_test_network_LDADD = $(TWIN_LIBS) tests/libfailalloc.la
tests_netmodel_engines_test_network_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)

# Shared channels, against a dense twin of their own.
check_PROGRAMS += tests/netmodel/shared-engine/test-shared
TESTS += tests/netmodel/shared-engine/test-shared
tests_netmodel_shared_engine_test_shared_SOURCES = tests/netmodel/shared-engine/test-shared.c tests/netmodel/shared-engine/reference.c \
	tests/netmodel/shared-engine/reference.h
tests_netmodel_shared_engine_test_shared_LDADD = $(GRID_TEST_LIBS)
check_PROGRAMS += tests/netmodel/multicasts/test-shared-trees
TESTS += tests/netmodel/multicasts/test-shared-trees
tests_netmodel_multicasts_test_shared_trees_LDADD = $(GRID_TEST_LIBS)

# The teeth of test-equivalence: each mutant of the engine must be found.
MUTANTS = \
	tests/netmodel/engines/mutants/bubble-dropped.sed \
	tests/netmodel/engines/mutants/departures-forgotten.sed \
	tests/netmodel/engines/mutants/draw-of-next-cycle.sed \
	tests/netmodel/engines/mutants/flit-arrives-early.sed \
	tests/netmodel/engines/mutants/flit-buffer-shared.sed \
	tests/netmodel/engines/mutants/flit-credit-early.sed \
	tests/netmodel/engines/mutants/flit-link-not-held.sed \
	tests/netmodel/engines/mutants/flit-losers-sleep.sed \
	tests/netmodel/engines/mutants/flit-message-overtakes.sed \
	tests/netmodel/engines/mutants/flit-oldest-by-number.sed \
	tests/netmodel/engines/mutants/flit-padding-kept.sed \
	tests/netmodel/engines/mutants/flit-pipeline-behind-tail.sed \
	tests/netmodel/engines/mutants/flit-place-not-asked.sed \
	tests/netmodel/engines/mutants/flit-queue-of-one-packet.sed \
	tests/netmodel/engines/mutants/flit-queue-ties-from-zero.sed \
	tests/netmodel/engines/mutants/flit-random-link-as-output.sed \
	tests/netmodel/engines/mutants/flit-random-of-next-cycle.sed \
	tests/netmodel/engines/mutants/flit-source-without-pipeline.sed \
	tests/netmodel/engines/mutants/flit-turn-stands.sed \
	tests/netmodel/engines/mutants/injectors-not-in-turn.sed \
	tests/netmodel/engines/mutants/largest-need-wakes.sed \
	tests/netmodel/engines/mutants/link-pointer-stands.sed \
	tests/netmodel/engines/mutants/message-overtakes.sed \
	tests/netmodel/engines/mutants/needs-forgotten.sed \
	tests/netmodel/engines/mutants/onward-sleeper-forgotten.sed \
	tests/netmodel/engines/mutants/ring-entered-by-channel.sed \
	tests/netmodel/engines/mutants/ring-reserves-length.sed \
	tests/netmodel/engines/mutants/room-below-zero-forgotten.sed \
	tests/netmodel/engines/mutants/room-one-cycle-early.sed \
	tests/netmodel/engines/mutants/round-robin-pointer-stands.sed \
	tests/netmodel/engines/mutants/sent-flits-not-counted.sed \
	tests/netmodel/engines/mutants/tie-of-cycle-zero.sed \
	tests/netmodel/engines/mutants/timed-wake-lost.sed
TESTS += tests/netmodel/engines/check-mutants
EXTRA_DIST += tests/netmodel/engines/check-mutants $(MUTANTS)
check_DATA = tests/netmodel/engines/mutant-build
CLEANFILES += tests/netmodel/engines/mutant-build
tests/netmodel/engines/mutant-build: Makefile
	$(AM_V_GEN)$(MKDIR_P) tests/netmodel && { \
	echo "MUTANT_COMPILE='$(CC) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -w'"; \
	echo "MUTANT_LINK='$(LIBTOOL) --quiet --tag=CC --mode=link $(CC) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)'"; \
	echo "MUTANT_LIBS='$(TWIN_LIBS) $(LIBS)'"; } > $@

# Synthetic traffic.
TRAFFIC_TESTS = tests/netmodel/traffic/test-pattern tests/netmodel/traffic/test-traffic
check_PROGRAMS += $(TRAFFIC_TESTS)
TESTS += $(TRAFFIC_TESTS)
tests_netmodel_traffic_test_pattern_SOURCES = tests/netmodel/traffic/test-pattern.c $(GRID_TEST_CASES)
tests_netmodel_traffic_test_pattern_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_traffic_test_pattern_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
tests_netmodel_traffic_test_traffic_SOURCES = tests/netmodel/traffic/test-traffic.c $(GRID_TEST_CASES)
tests_netmodel_traffic_test_traffic_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_traffic_test_traffic_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm

# Threads inside one network.
check_PROGRAMS += tests/netmodel/engines/test-threads
TESTS += tests/netmodel/engines/test-threads
tests_netmodel_engines_test_threads_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
