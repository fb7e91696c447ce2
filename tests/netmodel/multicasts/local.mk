# Tests of netmodel/multicasts/.
netmodel_multicasts_tests = \
	tests/netmodel/multicasts/test-cover \
	tests/netmodel/multicasts/test-multicast \
	tests/netmodel/multicasts/test-shared-trees
check_PROGRAMS += $(netmodel_multicasts_tests)
TESTS += $(netmodel_multicasts_tests)
tests_netmodel_multicasts_test_cover_SOURCES = tests/netmodel/multicasts/test-cover.c
tests_netmodel_multicasts_test_cover_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_multicasts_test_multicast_SOURCES = tests/netmodel/multicasts/test-multicast.c
tests_netmodel_multicasts_test_multicast_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_netmodel_multicasts_test_shared_trees_LDADD = $(GRID_TEST_LIBS)
