# Tests of base/: one program a header.
BASE_TESTS = \
	tests/base/test-heap
check_PROGRAMS += $(BASE_TESTS)
TESTS += $(BASE_TESTS)
BASE_TEST_LIBS = libbase.la tests/libfailalloc.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

tests_base_test_heap_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_heap_LDADD = $(BASE_TEST_LIBS)
