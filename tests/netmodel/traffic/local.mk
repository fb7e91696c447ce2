# Tests of netmodel/traffic/.
netmodel_traffic_tests = \
	tests/netmodel/traffic/test-pattern \
	tests/netmodel/traffic/test-traffic
check_PROGRAMS += $(netmodel_traffic_tests)
TESTS += $(netmodel_traffic_tests)
tests_netmodel_traffic_test_pattern_SOURCES = tests/netmodel/traffic/test-pattern.c $(GRID_TEST_CASES)
tests_netmodel_traffic_test_pattern_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_traffic_test_pattern_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
tests_netmodel_traffic_test_traffic_SOURCES = tests/netmodel/traffic/test-traffic.c $(GRID_TEST_CASES)
tests_netmodel_traffic_test_traffic_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_traffic_test_traffic_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
