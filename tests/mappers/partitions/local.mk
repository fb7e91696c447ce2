# Tests of mappers/partitions/.
mappers_partitions_tests = \
	tests/mappers/partitions/test-partition
check_PROGRAMS += $(mappers_partitions_tests)
TESTS += $(mappers_partitions_tests)
tests_mappers_partitions_test_partition_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_mappers_partitions_test_partition_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la tests/libfailalloc.la \
	$(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
