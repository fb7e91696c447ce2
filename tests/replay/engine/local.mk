# Tests of replay/engine/.
check_PROGRAMS += tests/replay/engine/test-replay-traces
replay_engine_tests = \
	tests/replay/engine/test-faults \
	tests/replay/engine/test-hardware \
	tests/replay/engine/test-hosts \
	tests/replay/engine/test-intervals \
	tests/replay/engine/test-jobs \
	tests/replay/engine/test-programs \
	tests/replay/engine/test-random \
	tests/replay/engine/test-rules \
	tests/replay/engine/test-waiting \
	tests/replay/engine/test-written
check_PROGRAMS += $(replay_engine_tests)
TESTS += $(replay_engine_tests)
tests_replay_engine_test_faults_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_engine_test_faults_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_hardware_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_hosts_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_intervals_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_jobs_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_engine_test_jobs_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_programs_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_random_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_replay_traces_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_rules_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_waiting_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_engine_test_written_LDADD = $(REPLAY_TEST_LIBS)
