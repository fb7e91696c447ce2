# Tests of netmodel/machines/.
netmodel_machines_tests = \
	tests/netmodel/machines/test-detours \
	tests/netmodel/machines/test-saturation
check_PROGRAMS += $(netmodel_machines_tests)
TESTS += $(netmodel_machines_tests)
tests_netmodel_machines_test_detours_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_machines_test_saturation_SOURCES = tests/netmodel/machines/test-saturation.c $(GRID_TEST_CASES)
tests_netmodel_machines_test_saturation_LDADD = $(GRID_TEST_LIBS)
