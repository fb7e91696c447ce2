# Tests of mappers/.
check_PROGRAMS += tests/mappers/test-placement
TESTS += tests/mappers/test-placement
tests_mappers_test_placement_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_mappers_test_placement_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la tests/libfailalloc.la \
	$(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/mappers/partitions/test-partition
TESTS += tests/mappers/partitions/test-partition
tests_mappers_partitions_test_partition_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_mappers_partitions_test_partition_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la tests/libfailalloc.la \
	$(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/mappers/searches/test-search
TESTS += tests/mappers/searches/test-search
tests_mappers_searches_test_search_SOURCES = tests/mappers/searches/test-search.c tests/mappers/searches/qap.h
tests_mappers_searches_test_search_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_mappers_searches_test_search_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la tests/libfailalloc.la \
	$(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/mappers/formats/test-map-files
TESTS += tests/mappers/formats/test-map-files
tests_mappers_formats_test_map_files_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/mappers/searches/test-scotch
TESTS += tests/mappers/searches/test-scotch
tests_mappers_searches_test_scotch_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/mappers/test-laws
TESTS += tests/mappers/test-laws
tests_mappers_test_laws_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/mappers/test-suite
TESTS += tests/mappers/test-suite
tests_mappers_test_suite_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(ZLIB_LIBS)
