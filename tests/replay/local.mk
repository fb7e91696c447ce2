# Tests of replay/.
REPLAY_TESTS = tests/replay/engine/test-rules tests/replay/engine/test-hardware tests/replay/session/test-kinds tests/replay/engine/test-programs tests/replay/engine/test-written tests/replay/engine/test-faults tests/replay/engine/test-random
check_PROGRAMS += $(REPLAY_TESTS) tests/replay/engine/test-replay-traces
TESTS += $(REPLAY_TESTS)

check_LTLIBRARIES += tests/replay/libsupport.la
tests_replay_libsupport_la_SOURCES = tests/replay/support.c tests/replay/support.h \
	tests/replay/engine/random-network.c tests/replay/engine/random-network.h \
	tests/replay/engine/random-program.c tests/replay/engine/random-program.h \
	tests/replay/engine/reference-matcher.c tests/replay/engine/reference-matcher.h \
	tests/replay/engine/watch.c tests/replay/engine/watch.h
REPLAY_TEST_LIBS = tests/replay/libsupport.la $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) \
	$(CMOCKA_LIBS)

tests_replay_engine_test_rules_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_hardware_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_session_test_kinds_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_programs_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_written_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_faults_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_engine_test_faults_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_random_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_replay_traces_LDADD = $(REPLAY_TEST_LIBS)

# The results of every recorded trace. This target writes them anew, as FLITREPLAY_UPDATE_GOLDEN=1 does.
EXTRA_DIST += tests/golden/replays.csv
update-golden-replays: tests/replay/engine/test-replay-traces$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) FLITREPLAY_UPDATE_GOLDEN=1 ./tests/replay/engine/test-replay-traces$(EXEEXT)

# Synthetic traffic.
check_PROGRAMS += tests/replay/traffic/test-traffic tests/replay/traffic/test-traffic-threads
TESTS += tests/replay/traffic/test-traffic tests/replay/traffic/test-traffic-threads
tests_replay_traffic_test_traffic_threads_LDADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
tests_replay_traffic_test_traffic_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_traffic_test_traffic_LDADD = $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)

# Several jobs on one network.
check_PROGRAMS += tests/replay/engine/test-jobs
TESTS += tests/replay/engine/test-jobs
tests_replay_engine_test_jobs_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_engine_test_jobs_LDADD = $(REPLAY_TEST_LIBS)
