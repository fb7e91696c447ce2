# Tests of replay/traffic/.
replay_traffic_tests = \
	tests/replay/traffic/test-traffic \
	tests/replay/traffic/test-traffic-threads
check_PROGRAMS += $(replay_traffic_tests)
TESTS += $(replay_traffic_tests)
tests_replay_traffic_test_traffic_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_replay_traffic_test_traffic_LDADD = $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
tests_replay_traffic_test_traffic_threads_LDADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
