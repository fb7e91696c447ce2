# Tests of netmodel/faults/.
netmodel_faults_tests = \
	tests/netmodel/faults/test-control \
	tests/netmodel/faults/test-detours \
	tests/netmodel/faults/test-faults
check_PROGRAMS += $(netmodel_faults_tests)
TESTS += $(netmodel_faults_tests)
tests_netmodel_faults_test_control_SOURCES = tests/netmodel/faults/test-control.c $(GRID_TEST_CASES)
tests_netmodel_faults_test_control_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_faults_test_control_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
tests_netmodel_faults_test_detours_SOURCES = tests/netmodel/faults/test-detours.c $(GRID_TEST_CASES)
tests_netmodel_faults_test_detours_LDADD = $(GRID_TEST_LIBS)
tests_netmodel_faults_test_faults_SOURCES = tests/netmodel/faults/test-faults.c $(GRID_TEST_CASES)
tests_netmodel_faults_test_faults_LDADD = $(GRID_TEST_LIBS)
