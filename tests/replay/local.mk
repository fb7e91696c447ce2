# Tests of replay/.
REPLAY_TESTS = tests/replay/test-rules tests/replay/test-hardware tests/replay/test-kinds tests/replay/test-programs tests/replay/test-written tests/replay/test-faults tests/replay/test-random
check_PROGRAMS += $(REPLAY_TESTS) tests/replay/test-replay-traces
TESTS += $(REPLAY_TESTS)

check_LTLIBRARIES += tests/replay/libsupport.la
tests_replay_libsupport_la_SOURCES = tests/replay/support.c tests/replay/support.h \
	tests/replay/random-network.c tests/replay/random-network.h \
	tests/replay/random-program.c tests/replay/random-program.h \
	tests/replay/reference-matcher.c tests/replay/reference-matcher.h \
	tests/replay/watch.c tests/replay/watch.h
REPLAY_TEST_LIBS = tests/replay/libsupport.la $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) \
	$(CMOCKA_LIBS)

tests_replay_test_rules_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_test_hardware_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_test_kinds_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_test_programs_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_test_written_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_test_faults_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_test_faults_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_test_random_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_test_replay_traces_LDADD = $(REPLAY_TEST_LIBS)

# The results of every recorded trace. This target writes them anew, as FLITREPLAY_UPDATE_GOLDEN=1 does.
EXTRA_DIST += tests/golden/replays.csv
update-golden-replays: tests/replay/test-replay-traces$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) FLITREPLAY_UPDATE_GOLDEN=1 ./tests/replay/test-replay-traces$(EXEEXT)

# Synthetic traffic.
check_PROGRAMS += tests/replay/test-traffic tests/replay/test-traffic-threads
TESTS += tests/replay/test-traffic tests/replay/test-traffic-threads
tests_replay_test_traffic_threads_LDADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
tests_replay_test_traffic_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_test_traffic_LDADD = $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)

# Several jobs on one network.
check_PROGRAMS += tests/replay/test-jobs
TESTS += tests/replay/test-jobs
tests_replay_test_jobs_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_test_jobs_LDADD = $(REPLAY_TEST_LIBS)
