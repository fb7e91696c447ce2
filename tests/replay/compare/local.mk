# Tests of replay/compare/.
replay_compare_tests = tests/replay/compare/test-kept
check_PROGRAMS += $(replay_compare_tests)
TESTS += $(replay_compare_tests)
tests_replay_compare_test_kept_LDADD = $(REPLAY_TEST_LIBS)
