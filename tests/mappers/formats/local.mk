# Tests of mappers/formats/.
mappers_formats_tests = \
	tests/mappers/formats/test-map-files
check_PROGRAMS += $(mappers_formats_tests)
TESTS += $(mappers_formats_tests)
tests_mappers_formats_test_map_files_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
