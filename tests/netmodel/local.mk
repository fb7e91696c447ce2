# Tests of netmodel/.

check_PROGRAMS += tests/netmodel/test-steady-state
TESTS += tests/netmodel/test-steady-state
tests_netmodel_test_steady_state_SOURCES = tests/netmodel/test-steady-state.c
tests_netmodel_test_steady_state_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_netmodel_test_steady_state_LDADD = libnetmodel.la libbase.la tests/libfailalloc.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
