# Tests of netmodel/machines/.
netmodel_machines_tests = \
	tests/netmodel/machines/test-detours
check_PROGRAMS += $(netmodel_machines_tests)
TESTS += $(netmodel_machines_tests)
tests_netmodel_machines_test_detours_LDADD = $(GRID_TEST_LIBS)
