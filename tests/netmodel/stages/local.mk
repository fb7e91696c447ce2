# Tests of netmodel/stages/.
netmodel_stages_tests = \
	tests/netmodel/stages/test-stages
check_PROGRAMS += $(netmodel_stages_tests)
TESTS += $(netmodel_stages_tests)
tests_netmodel_stages_test_stages_SOURCES = tests/netmodel/stages/test-stages.c $(GRID_TEST_CASES)
tests_netmodel_stages_test_stages_LDADD = $(GRID_TEST_LIBS)
