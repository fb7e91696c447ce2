# Tests of mappers/.

mappers_tests = \
	tests/mappers/test-laws \
	tests/mappers/test-placement \
	tests/mappers/test-suite
check_PROGRAMS += $(mappers_tests)
TESTS += $(mappers_tests)
tests_mappers_test_laws_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_mappers_test_placement_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_mappers_test_placement_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la tests/libfailalloc.la \
	$(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_mappers_test_suite_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(ZLIB_LIBS)

include tests/mappers/formats/local.mk
include tests/mappers/partitions/local.mk
include tests/mappers/searches/local.mk
