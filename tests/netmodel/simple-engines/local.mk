# Tests of netmodel/simple-engines/.
netmodel_simple_engines_tests = \
	tests/netmodel/simple-engines/test-effects
check_PROGRAMS += $(netmodel_simple_engines_tests)
TESTS += $(netmodel_simple_engines_tests)
tests_netmodel_simple_engines_test_effects_SOURCES = tests/netmodel/simple-engines/test-effects.c
tests_netmodel_simple_engines_test_effects_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
