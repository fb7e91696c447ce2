# Tests of netmodel/engines/.
netmodel_engines_tests = \
	tests/netmodel/engines/test-bubble-rule \
	tests/netmodel/engines/test-closed-forms \
	tests/netmodel/engines/test-copies \
	tests/netmodel/engines/test-digests \
	tests/netmodel/engines/test-equivalence \
	tests/netmodel/engines/test-failing \
	tests/netmodel/engines/test-flow-control \
	tests/netmodel/engines/test-link-share \
	tests/netmodel/engines/test-network \
	tests/netmodel/engines/test-own-links \
	tests/netmodel/engines/test-standstill \
	tests/netmodel/engines/test-steady-state \
	tests/netmodel/engines/test-threads \
	tests/netmodel/engines/test-wide
check_PROGRAMS += $(netmodel_engines_tests)
TESTS += $(netmodel_engines_tests)
tests_netmodel_engines_test_bubble_rule_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_closed_forms_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_copies_SOURCES = tests/netmodel/engines/test-copies.c $(GRID_TEST_CASES)
tests_netmodel_engines_test_copies_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_digests_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_equivalence_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_failing_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_flow_control_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_link_share_SOURCES = tests/netmodel/engines/test-link-share.c $(GRID_TEST_CASES)
tests_netmodel_engines_test_link_share_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_engines_test_network_LDADD = $(TWIN_LIBS) tests/libfailalloc.la
tests_netmodel_engines_test_network_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_engines_test_own_links_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_standstill_SOURCES = tests/netmodel/engines/test-standstill.c $(GRID_TEST_CASES) \
	tests/netmodel/routings/table-routing.c tests/netmodel/routings/table-routing.h
tests_netmodel_engines_test_standstill_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_engines_test_steady_state_SOURCES = tests/netmodel/engines/test-steady-state.c
tests_netmodel_engines_test_steady_state_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_engines_test_steady_state_LDADD = libnetmodel.la libbase.la tests/libfailalloc.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_engines_test_wide_LDADD = $(TWIN_LIBS)
tests_netmodel_engines_test_threads_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

# The dense twin of the engine, and what is asked of both.
check_LTLIBRARIES += tests/netmodel/engines/libtwin.la
tests_netmodel_engines_libtwin_la_SOURCES = tests/netmodel/engines/reference.c tests/netmodel/engines/reference.h \
	tests/netmodel/engines/reference-arbiters.c tests/netmodel/engines/reference-faults.c tests/netmodel/engines/reference-internal.h \
	tests/netmodel/engines/reference-setup.c tests/netmodel/engines/reference-tree.c \
	tests/netmodel/engines/outcome.c tests/netmodel/engines/outcome.h tests/netmodel/engines/random-cases.c tests/netmodel/engines/random-cases.h \
	tests/netmodel/engines/adaptive-routings.c tests/netmodel/engines/adaptive-routings.h
TWIN_LIBS = tests/netmodel/engines/libtwin.la libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
EXTRA_DIST += tests/golden/flit-digests.csv

# The teeth of test-equivalence: each mutant of the engine must be found.
MUTANTS = \
	tests/netmodel/engines/mutants/broad-departures-forgotten.sed \
	tests/netmodel/engines/mutants/broad-last-wins.sed \
	tests/netmodel/engines/mutants/bubble-dropped.sed \
	tests/netmodel/engines/mutants/deflection-age-by-list.sed \
	tests/netmodel/engines/mutants/deflection-closest-is-farthest.sed \
	tests/netmodel/engines/mutants/deflection-deflections-not-counted.sed \
	tests/netmodel/engines/mutants/deflection-draw-of-next-cycle.sed \
	tests/netmodel/engines/mutants/deflection-entry-needs-two.sed \
	tests/netmodel/engines/mutants/deflection-joins-when-given.sed \
	tests/netmodel/engines/mutants/deflection-line-up-as-before.sed \
	tests/netmodel/engines/mutants/deflection-lossy-keeps-others.sed \
	tests/netmodel/engines/mutants/deflection-missing-as-come.sed \
	tests/netmodel/engines/mutants/deflection-new-as-others.sed \
	tests/netmodel/engines/mutants/deflection-order-of-last.sed \
	tests/netmodel/engines/mutants/deflection-preferential-draws-once.sed \
	tests/netmodel/engines/mutants/deflection-sets-of-first-word.sed \
	tests/netmodel/engines/mutants/deflection-sets-serve-in-order.sed \
	tests/netmodel/engines/mutants/deflection-straight-turns.sed \
	tests/netmodel/engines/mutants/deflection-ties-out-of-order.sed \
	tests/netmodel/engines/mutants/deflection-two-in-order.sed \
	tests/netmodel/engines/mutants/deflection-youngest-absorbed.sed \
	tests/netmodel/engines/mutants/departures-forgotten.sed \
	tests/netmodel/engines/mutants/draw-of-next-cycle.sed \
	tests/netmodel/engines/mutants/failing-dies-a-cycle-late.sed \
	tests/netmodel/engines/mutants/failing-enters-with-one-place.sed \
	tests/netmodel/engines/mutants/failing-escape-after-ring.sed \
	tests/netmodel/engines/mutants/failing-first-passage.sed \
	tests/netmodel/engines/mutants/failing-leaves-into-escape.sed \
	tests/netmodel/engines/mutants/failing-new-ring-keeps-packets.sed \
	tests/netmodel/engines/mutants/failing-pruned-ring-is-old.sed \
	tests/netmodel/engines/mutants/failing-ring-left-at-entry-distance.sed \
	tests/netmodel/engines/mutants/failing-ring-reserves-length.sed \
	tests/netmodel/engines/mutants/failing-roams-for-ever.sed \
	tests/netmodel/engines/mutants/flit-arrives-early.sed \
	tests/netmodel/engines/mutants/flit-buffer-shared.sed \
	tests/netmodel/engines/mutants/flit-credit-early.sed \
	tests/netmodel/engines/mutants/flit-link-not-held.sed \
	tests/netmodel/engines/mutants/flit-look-of-room.sed \
	tests/netmodel/engines/mutants/flit-looks-once.sed \
	tests/netmodel/engines/mutants/flit-losers-sleep.sed \
	tests/netmodel/engines/mutants/flit-message-overtakes.sed \
	tests/netmodel/engines/mutants/flit-narrow-link-never-rests.sed \
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
	tests/netmodel/engines/mutants/lanes-arrives-early.sed \
	tests/netmodel/engines/mutants/lanes-ejection-counted.sed \
	tests/netmodel/engines/mutants/lanes-place-not-taken.sed \
	tests/netmodel/engines/mutants/lanes-pointer-stands.sed \
	tests/netmodel/engines/mutants/lanes-turn-stands.sed \
	tests/netmodel/engines/mutants/largest-need-wakes.sed \
	tests/netmodel/engines/mutants/link-of-one-channel.sed \
	tests/netmodel/engines/mutants/link-pointer-stands.sed \
	tests/netmodel/engines/mutants/message-overtakes.sed \
	tests/netmodel/engines/mutants/needs-forgotten.sed \
	tests/netmodel/engines/mutants/oldest-by-number.sed \
	tests/netmodel/engines/mutants/onward-sleeper-forgotten.sed \
	tests/netmodel/engines/mutants/own-latency-forgotten.sed \
	tests/netmodel/engines/mutants/packet-failing-enters-with-one-place.sed \
	tests/netmodel/engines/mutants/packet-failing-escape-after-ring.sed \
	tests/netmodel/engines/mutants/packet-failing-escape-over-dead-link.sed \
	tests/netmodel/engines/mutants/packet-failing-first-passage.sed \
	tests/netmodel/engines/mutants/packet-failing-first-variant.sed \
	tests/netmodel/engines/mutants/packet-failing-leaves-into-escape.sed \
	tests/netmodel/engines/mutants/packet-failing-leaves-since-never.sed \
	tests/netmodel/engines/mutants/packet-failing-leaving-not-noted.sed \
	tests/netmodel/engines/mutants/packet-failing-next-of-old-ring.sed \
	tests/netmodel/engines/mutants/packet-failing-padding-forgotten.sed \
	tests/netmodel/engines/mutants/packet-failing-ring-left-at-entry-distance.sed \
	tests/netmodel/engines/mutants/packet-failing-room-in-places.sed \
	tests/netmodel/engines/mutants/packet-failing-stray-unseen.sed \
	tests/netmodel/engines/mutants/packet-link-as-output.sed \
	tests/netmodel/engines/mutants/packet-youngest-first.sed \
	tests/netmodel/engines/mutants/ring-entered-by-channel.sed \
	tests/netmodel/engines/mutants/ring-reserves-length.sed \
	tests/netmodel/engines/mutants/room-below-zero-forgotten.sed \
	tests/netmodel/engines/mutants/room-one-cycle-early.sed \
	tests/netmodel/engines/mutants/round-robin-pointer-stands.sed \
	tests/netmodel/engines/mutants/sent-flits-not-counted.sed \
	tests/netmodel/engines/mutants/stage-admits-full.sed \
	tests/netmodel/engines/mutants/stage-asker-stands.sed \
	tests/netmodel/engines/mutants/stage-bus-chooses-late.sed \
	tests/netmodel/engines/mutants/stage-bus-to-last.sed \
	tests/netmodel/engines/mutants/stage-draw-of-asker.sed \
	tests/netmodel/engines/mutants/stage-least-is-last.sed \
	tests/netmodel/engines/mutants/stage-need-without-bus.sed \
	tests/netmodel/engines/mutants/stage-turn-stands.sed \
	tests/netmodel/engines/mutants/tie-of-cycle-zero.sed \
	tests/netmodel/engines/mutants/timed-wake-lost.sed \
	tests/netmodel/engines/mutants/wide-last-never-drawn.sed \
	tests/netmodel/engines/mutants/wide-single-in-a-word.sed
TESTS += tests/netmodel/engines/check-mutants
EXTRA_DIST += tests/netmodel/engines/check-mutants $(MUTANTS)
check_DATA += tests/netmodel/engines/mutant-build
CLEANFILES += tests/netmodel/engines/mutant-build
tests/netmodel/engines/mutant-build: Makefile
	$(AM_V_GEN)$(MKDIR_P) tests/netmodel/engines && { \
	echo "MUTANT_COMPILE='$(CC) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -w'"; \
	echo "MUTANT_LIBTOOL='$(LIBTOOL) --tag=CC --mode=link'"; \
	echo "MUTANT_LINK='$(CC) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS)'"; \
	echo "MUTANT_LIBS='$(TWIN_LIBS) $(LIBS)'"; } > $@
