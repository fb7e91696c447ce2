# Tests of base/: one program a header.
BASE_TESTS = \
	tests/base/test-agenda \
	tests/base/test-arena \
	tests/base/test-digest \
	tests/base/test-error \
	tests/base/test-fail-alloc \
	tests/base/test-grow \
	tests/base/test-heap \
	tests/base/test-input \
	tests/base/test-names \
	tests/base/test-output \
	tests/base/test-random \
	tests/base/test-statistics \
	tests/base/test-table \
	tests/base/test-team \
	tests/base/test-text-stream \
	tests/base/test-units \
	tests/base/test-wide
check_PROGRAMS += $(BASE_TESTS)
TESTS += $(BASE_TESTS)
BASE_TEST_LIBS = libbase.la tests/libfailalloc.la $(XXHASH_LIBS) $(CMOCKA_LIBS)

tests_base_test_agenda_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_agenda_LDADD = $(BASE_TEST_LIBS)
tests_base_test_arena_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_arena_LDADD = $(BASE_TEST_LIBS)
tests_base_test_digest_LDADD = libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_base_test_error_LDADD = libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_base_test_grow_LDADD = $(CMOCKA_LIBS)
tests_base_test_heap_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_heap_LDADD = $(BASE_TEST_LIBS)
tests_base_test_input_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_input_LDADD = $(BASE_TEST_LIBS)
tests_base_test_names_LDADD = libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_base_test_output_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_output_LDADD = $(BASE_TEST_LIBS)
tests_base_test_random_LDADD = libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_base_test_statistics_LDADD = libbase.la $(CMOCKA_LIBS) -lm
tests_base_test_table_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_table_LDADD = $(BASE_TEST_LIBS)
tests_base_test_team_LDADD = libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_base_test_text_stream_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_text_stream_LDADD = $(BASE_TEST_LIBS)
tests_base_test_units_LDADD = libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_base_test_wide_SOURCES = tests/base/test-wide.c tests/base/wide-words.c tests/base/wide-operations.h
tests_base_test_wide_LDADD = libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_base_test_fail_alloc_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_base_test_fail_alloc_LDADD = tests/libfailalloc.la $(CMOCKA_LIBS)
