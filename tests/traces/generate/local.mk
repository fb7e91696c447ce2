# Tests of traces/generate/.
traces_generate_tests = \
	tests/traces/generate/test-generate \
	tests/traces/generate/test-generate-laws
check_PROGRAMS += $(traces_generate_tests)
TESTS += $(traces_generate_tests)
tests_traces_generate_test_generate_SOURCES = tests/traces/generate/test-generate.c $(recorded_sources)
tests_traces_generate_test_generate_LDADD = $(otf2_test_libs)
tests_traces_generate_test_generate_laws_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_generate_test_generate_laws_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
