# Tests of replay/session/.
replay_session_tests = \
	tests/replay/session/test-estimate \
	tests/replay/session/test-judging \
	tests/replay/session/test-kinds \
	tests/replay/session/test-outlook \
	tests/replay/session/test-stages
check_PROGRAMS += $(replay_session_tests)
TESTS += $(replay_session_tests)
tests_replay_session_test_estimate_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_session_test_judging_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_session_test_kinds_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_session_test_outlook_LDADD = $(REPLAY_TEST_LIBS)
tests_replay_session_test_stages_LDADD = $(REPLAY_TEST_LIBS)
