# Tests of traces/.
TRACE_TEST_LIBS = libtraces.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS)

check_PROGRAMS += tests/traces/dump-program
tests_traces_dump_program_SOURCES = tests/traces/dump-program.c
tests_traces_dump_program_LDADD = $(TRACE_TEST_LIBS)
