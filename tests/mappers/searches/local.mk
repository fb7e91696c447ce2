# Tests of mappers/searches/.
mappers_searches_tests = \
	tests/mappers/searches/test-scotch \
	tests/mappers/searches/test-search \
	tests/mappers/searches/test-trials
check_PROGRAMS += $(mappers_searches_tests)
TESTS += $(mappers_searches_tests)
tests_mappers_searches_test_scotch_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_mappers_searches_test_search_SOURCES = tests/mappers/searches/test-search.c tests/mappers/searches/qap.h
tests_mappers_searches_test_search_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_mappers_searches_test_search_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la tests/libfailalloc.la \
	$(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_mappers_searches_test_trials_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
