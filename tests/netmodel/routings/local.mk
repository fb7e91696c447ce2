# Tests of netmodel/routings/.
netmodel_routings_tests = \
	tests/netmodel/routings/test-channel-loads \
	tests/netmodel/routings/test-confinement \
	tests/netmodel/routings/test-dateline \
	tests/netmodel/routings/test-routing \
	tests/netmodel/routings/test-routing-king \
	tests/netmodel/routings/test-routing-laws
check_PROGRAMS += $(netmodel_routings_tests)
TESTS += $(netmodel_routings_tests)
tests_netmodel_routings_test_channel_loads_SOURCES = tests/netmodel/routings/test-channel-loads.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_channel_loads_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_routings_test_confinement_SOURCES = tests/netmodel/routings/test-confinement.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_confinement_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_routings_test_confinement_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
tests_netmodel_routings_test_dateline_SOURCES = tests/netmodel/routings/test-dateline.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_dateline_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_routings_test_routing_SOURCES = tests/netmodel/routings/test-routing.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_routing_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_routings_test_routing_king_SOURCES = tests/netmodel/routings/test-routing-king.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_routing_king_LDADD = $(GRID_TEST_LIBS) -lm
tests_netmodel_routings_test_routing_laws_SOURCES = tests/netmodel/routings/test-routing-laws.c $(GRID_TEST_CASES)
tests_netmodel_routings_test_routing_laws_LDADD = $(GRID_TEST_LIBS) -lm
