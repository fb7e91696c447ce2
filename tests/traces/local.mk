# Tests of traces/.
# A program in memory.
check_LTLIBRARIES += tests/traces/libmemory.la
tests_traces_libmemory_la_SOURCES = tests/traces/memory.c tests/traces/memory.h

TRACE_TEST_LIBS = tests/traces/libmemory.la libtraces.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS)
otf2_test_libs = $(TRACE_TEST_LIBS) $(JANSSON_LIBS) $(CMOCKA_LIBS)
drafted_sources = tests/traces/drafted.c tests/traces/drafted.h
archive_sources = tests/traces/archive.c tests/traces/archive.h $(drafted_sources)
recorded_sources = tests/traces/recorded.c tests/traces/recorded.h
DUMPI_TEST_LIBS = libdumpi.la tests/libfailalloc.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
DUMPI_TEST_FILES = tests/traces/dumpitrace/dumpi-files.c tests/traces/dumpitrace/dumpi-files.h
DUMPI_PROGRAM_LIBS = $(TRACE_TEST_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)
DUMPI_SCRIPT_FILES = tests/traces/dumpi/scripts.c tests/traces/dumpi/scripts.h $(DUMPI_TEST_FILES) $(drafted_sources)
check_PROGRAMS += tests/traces/dump-program
traces_tests = \
	tests/traces/test-drafts \
	tests/traces/test-hash \
	tests/traces/test-joined \
	tests/traces/test-kept \
	tests/traces/test-processor-loss
check_PROGRAMS += $(traces_tests)
TESTS += $(traces_tests)
tests_traces_dump_program_SOURCES = tests/traces/dump-program.c
tests_traces_dump_program_LDADD = $(TRACE_TEST_LIBS)
tests_traces_test_drafts_SOURCES = tests/traces/test-drafts.c $(archive_sources) $(recorded_sources)
tests_traces_test_drafts_LDADD = $(otf2_test_libs)
tests_traces_test_hash_SOURCES = tests/traces/test-hash.c $(archive_sources)
tests_traces_test_hash_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_hash_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_test_joined_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_joined_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_test_kept_SOURCES = tests/traces/test-kept.c $(recorded_sources) $(drafted_sources)
tests_traces_test_kept_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_kept_LDADD = $(otf2_test_libs) tests/libfailalloc.la
tests_traces_test_processor_loss_LDADD = libtraces.la libbase.la $(CMOCKA_LIBS)

include tests/traces/collectives/local.mk
include tests/traces/communicators/local.mk
include tests/traces/doctor/local.mk
include tests/traces/dumpi/local.mk
include tests/traces/dumpitrace/local.mk
include tests/traces/generate/local.mk
include tests/traces/goal/local.mk
include tests/traces/graph/local.mk
include tests/traces/otf2/local.mk
include tests/traces/windows/local.mk
include tests/traces/writers/local.mk
