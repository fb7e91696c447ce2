# Tests of netmodel/mway/.
netmodel_mway_tests = \
	tests/netmodel/mway/test-mway
check_PROGRAMS += $(netmodel_mway_tests)
TESTS += $(netmodel_mway_tests)
tests_netmodel_mway_test_mway_SOURCES = tests/netmodel/mway/test-mway.c $(GRID_TEST_CASES)
tests_netmodel_mway_test_mway_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_mway_test_mway_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
