# Tests of traces/dumpitrace/.
check_PROGRAMS += tests/traces/dumpitrace/dump-dumpi
traces_dumpitrace_tests = \
	tests/traces/dumpitrace/test-hostile \
	tests/traces/dumpitrace/test-plain \
	tests/traces/dumpitrace/test-records \
	tests/traces/dumpitrace/test-traces
check_PROGRAMS += $(traces_dumpitrace_tests)
TESTS += $(traces_dumpitrace_tests)
tests_traces_dumpitrace_dump_dumpi_SOURCES = tests/traces/dumpitrace/dump-dumpi.c
tests_traces_dumpitrace_dump_dumpi_LDADD = libdumpitrace.la
tests_traces_dumpitrace_test_hostile_SOURCES = tests/traces/dumpitrace/test-hostile.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_hostile_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_dumpitrace_test_hostile_LDADD = $(DUMPI_TEST_LIBS)
tests_traces_dumpitrace_test_plain_SOURCES = tests/traces/dumpitrace/test-plain.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_plain_LDADD = libdumpi.la libbase.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_dumpitrace_test_records_SOURCES = tests/traces/dumpitrace/test-records.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_records_LDADD = libdumpi.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_dumpitrace_test_traces_SOURCES = tests/traces/dumpitrace/test-traces.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_traces_LDADD = libdumpi.la $(JANSSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)

# The original DUMPI library as an oracle, where it is.
EXTRA_DIST += tests/traces/dumpitrace/test-oracle.c
if WITH_UNDUMPI
check_PROGRAMS += tests/traces/dumpitrace/test-oracle
TESTS += tests/traces/dumpitrace/test-oracle
tests_traces_dumpitrace_test_oracle_SOURCES = tests/traces/dumpitrace/test-oracle.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_oracle_CPPFLAGS = $(AM_CPPFLAGS) $(UNDUMPI_CFLAGS)
tests_traces_dumpitrace_test_oracle_LDADD = libdumpi.la $(UNDUMPI_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)
endif
