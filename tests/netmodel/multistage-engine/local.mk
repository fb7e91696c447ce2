# Tests of netmodel/multistage-engine/.
netmodel_multistage_engine_tests = \
	tests/netmodel/multistage-engine/test-multistage
check_PROGRAMS += $(netmodel_multistage_engine_tests)
TESTS += $(netmodel_multistage_engine_tests)
tests_netmodel_multistage_engine_test_multistage_SOURCES = tests/netmodel/multistage-engine/test-multistage.c \
	tests/netmodel/multistage-engine/reference.c tests/netmodel/multistage-engine/reference.h $(GRID_TEST_CASES)
tests_netmodel_multistage_engine_test_multistage_LDADD = $(GRID_TEST_LIBS)
