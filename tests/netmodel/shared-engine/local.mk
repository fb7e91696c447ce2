# Tests of netmodel/shared-engine/.
netmodel_shared_engine_tests = \
	tests/netmodel/shared-engine/test-shared
check_PROGRAMS += $(netmodel_shared_engine_tests)
TESTS += $(netmodel_shared_engine_tests)
tests_netmodel_shared_engine_test_shared_SOURCES = tests/netmodel/shared-engine/test-shared.c tests/netmodel/shared-engine/reference.c \
	tests/netmodel/shared-engine/reference.h
tests_netmodel_shared_engine_test_shared_LDADD = $(GRID_TEST_LIBS)
