# Tests of netmodel/deflection-engine/.
netmodel_deflection_engine_tests = \
	tests/netmodel/deflection-engine/test-deflection
check_PROGRAMS += $(netmodel_deflection_engine_tests)
TESTS += $(netmodel_deflection_engine_tests)
tests_netmodel_deflection_engine_test_deflection_SOURCES = tests/netmodel/deflection-engine/test-deflection.c \
	tests/netmodel/deflection-engine/reference.c tests/netmodel/deflection-engine/reference.h $(GRID_TEST_CASES)
tests_netmodel_deflection_engine_test_deflection_LDADD = $(GRID_TEST_LIBS)
