# Tests of netmodel/deadlock/.
netmodel_deadlock_tests = \
	tests/netmodel/deadlock/test-dependency
check_PROGRAMS += $(netmodel_deadlock_tests)
TESTS += $(netmodel_deadlock_tests)
tests_netmodel_deadlock_test_dependency_SOURCES = tests/netmodel/deadlock/test-dependency.c $(GRID_TEST_CASES) \
	tests/netmodel/routings/table-routing.c tests/netmodel/routings/table-routing.h
tests_netmodel_deadlock_test_dependency_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_deadlock_test_dependency_LDADD = tests/libfailalloc.la $(GRID_TEST_LIBS)
