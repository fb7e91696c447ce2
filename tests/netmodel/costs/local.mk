# Tests of netmodel/costs/.
netmodel_costs_tests = \
	tests/netmodel/costs/test-costs \
	tests/netmodel/costs/test-owners \
	tests/netmodel/costs/test-technology
check_PROGRAMS += $(netmodel_costs_tests)
TESTS += $(netmodel_costs_tests)
tests_netmodel_costs_test_costs_SOURCES = tests/netmodel/costs/test-costs.c $(GRID_TEST_CASES)
tests_netmodel_costs_test_costs_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_costs_test_costs_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
tests_netmodel_costs_test_owners_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_costs_test_technology_SOURCES = tests/netmodel/costs/test-technology.c $(GRID_TEST_CASES)
tests_netmodel_costs_test_technology_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_costs_test_technology_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS) -lm
