# Tests of traces/.
TRACE_TEST_LIBS = libtraces.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS)

check_PROGRAMS += tests/traces/dump-program
tests_traces_dump_program_SOURCES = tests/traces/dump-program.c
tests_traces_dump_program_LDADD = $(TRACE_TEST_LIBS)

# Collectives and the communication graph.
check_PROGRAMS += tests/traces/collectives/test-collectives
TESTS += tests/traces/collectives/test-collectives
tests_traces_collectives_test_collectives_SOURCES = \
	tests/traces/collectives/test-collectives.c \
	tests/traces/collectives/forms.c tests/traces/collectives/forms.h \
	tests/traces/collectives/model.c tests/traces/collectives/models.def tests/traces/collectives/model.h
tests_traces_collectives_test_collectives_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_collectives_test_collectives_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/traces/collectives/test-collective-rounds
TESTS += tests/traces/collectives/test-collective-rounds
tests_traces_collectives_test_collective_rounds_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_collectives_test_collective_rounds_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/traces/collectives/test-collectives-recorded
TESTS += tests/traces/collectives/test-collectives-recorded
tests_traces_collectives_test_collectives_recorded_SOURCES = \
	tests/traces/collectives/test-collectives-recorded.c \
	tests/traces/collectives/recorded-mpich.def tests/traces/collectives/recorded-openmpi.def
tests_traces_collectives_test_collectives_recorded_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/traces/graph/test-graph
TESTS += tests/traces/graph/test-graph
tests_traces_graph_test_graph_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_graph_test_graph_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

# What is wrong with a trace.
check_PROGRAMS += tests/traces/doctor/test-defect tests/traces/doctor/test-doctor tests/traces/graph/test-expansion
TESTS += tests/traces/doctor/test-defect tests/traces/doctor/test-doctor tests/traces/graph/test-expansion
check_PROGRAMS += tests/traces/test-processor-loss
TESTS += tests/traces/test-processor-loss
tests_traces_test_processor_loss_LDADD = libtraces.la libbase.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/traces/test-joined
TESTS += tests/traces/test-joined
tests_traces_test_joined_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_joined_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_traces_graph_test_expansion_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_graph_test_expansion_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_traces_doctor_test_doctor_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_doctor_test_doctor_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_traces_doctor_test_defect_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_doctor_test_defect_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

# Communicators across ranks, and what calls imply.
check_PROGRAMS += tests/traces/communicators/test-communicators tests/traces/communicators/test-implied
TESTS += tests/traces/communicators/test-communicators tests/traces/communicators/test-implied
tests_traces_communicators_test_communicators_SOURCES = \
	tests/traces/communicators/test-communicators.c \
	tests/traces/communicators/communicator-model.c tests/traces/communicators/communicator-model.h
tests_traces_communicators_test_communicators_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_communicators_test_communicators_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_traces_communicators_test_implied_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)

# The OTF2 reader.
otf2_tests = \
	tests/traces/otf2/test-groundtruth \
	tests/traces/otf2/test-invalid \
	tests/traces/otf2/test-fail-alloc \
	tests/traces/otf2/test-creations \
	tests/traces/otf2/test-events \
	tests/traces/otf2/test-groups \
	tests/traces/otf2/test-intercommunicators \
	tests/traces/otf2/test-length \
	tests/traces/otf2/test-options \
	tests/traces/otf2/test-memory \
	tests/traces/otf2/test-mutations \
	tests/traces/otf2/test-programs \
	tests/traces/otf2/test-records \
	tests/traces/otf2/test-repairs \
	tests/traces/otf2/test-writers
check_PROGRAMS += $(otf2_tests)
TESTS += $(otf2_tests)
otf2_test_libs = $(TRACE_TEST_LIBS) $(JANSSON_LIBS) $(CMOCKA_LIBS)
archive_sources = tests/traces/archive.c tests/traces/archive.h
recorded_sources = tests/traces/recorded.c tests/traces/recorded.h

tests_traces_otf2_test_groundtruth_SOURCES = tests/traces/otf2/test-groundtruth.c $(recorded_sources)
tests_traces_otf2_test_groundtruth_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_writers_SOURCES = tests/traces/otf2/test-writers.c $(recorded_sources)
tests_traces_otf2_test_writers_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_programs_SOURCES = tests/traces/otf2/test-programs.c $(recorded_sources)
tests_traces_otf2_test_programs_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_events_SOURCES = tests/traces/otf2/test-events.c $(archive_sources) $(recorded_sources)
tests_traces_otf2_test_events_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_groups_SOURCES = tests/traces/otf2/test-groups.c $(archive_sources)
tests_traces_otf2_test_groups_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_records_SOURCES = tests/traces/otf2/test-records.c $(archive_sources)
tests_traces_otf2_test_records_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_options_SOURCES = tests/traces/otf2/test-options.c $(archive_sources) $(recorded_sources)
tests_traces_otf2_test_options_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_creations_SOURCES = tests/traces/otf2/test-creations.c $(archive_sources) $(recorded_sources)
tests_traces_otf2_test_creations_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_intercommunicators_SOURCES = tests/traces/otf2/test-intercommunicators.c $(archive_sources)
tests_traces_otf2_test_intercommunicators_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_repairs_SOURCES = tests/traces/otf2/test-repairs.c $(archive_sources)
tests_traces_otf2_test_repairs_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_invalid_SOURCES = tests/traces/otf2/test-invalid.c tests/traces/sanitizers.c $(archive_sources) \
	$(recorded_sources)
tests_traces_otf2_test_invalid_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_mutations_SOURCES = tests/traces/otf2/test-mutations.c tests/traces/sanitizers.c $(archive_sources) $(recorded_sources)
tests_traces_otf2_test_mutations_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_length_SOURCES = tests/traces/otf2/test-length.c $(archive_sources)
tests_traces_otf2_test_length_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_memory_SOURCES = tests/traces/otf2/test-memory.c $(archive_sources)
tests_traces_otf2_test_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
tests_traces_otf2_test_memory_LDADD = $(otf2_test_libs)
tests_traces_otf2_test_fail_alloc_SOURCES = tests/traces/otf2/test-fail-alloc.c tests/traces/sanitizers.c \
	$(archive_sources)
tests_traces_otf2_test_fail_alloc_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_otf2_test_fail_alloc_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)

# The DUMPI library: dump-dumpi prints records for people and for scripts.
check_PROGRAMS += tests/traces/dumpitrace/dump-dumpi
tests_traces_dumpitrace_dump_dumpi_SOURCES = tests/traces/dumpitrace/dump-dumpi.c
tests_traces_dumpitrace_dump_dumpi_LDADD = libdumpitrace.la
DUMPI_TESTS = \
	tests/traces/dumpitrace/test-traces \
	tests/traces/dumpitrace/test-records \
	tests/traces/dumpitrace/test-hostile
check_PROGRAMS += $(DUMPI_TESTS)
TESTS += $(DUMPI_TESTS)
DUMPI_TEST_LIBS = libdumpi.la tests/libfailalloc.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
DUMPI_TEST_FILES = tests/traces/dumpitrace/dumpi-files.c tests/traces/dumpitrace/dumpi-files.h
tests_traces_dumpitrace_test_traces_SOURCES = tests/traces/dumpitrace/test-traces.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_traces_LDADD = libdumpi.la $(JANSSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_dumpitrace_test_records_SOURCES = tests/traces/dumpitrace/test-records.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_records_LDADD = libdumpi.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_dumpitrace_test_hostile_SOURCES = tests/traces/dumpitrace/test-hostile.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_hostile_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_dumpitrace_test_hostile_LDADD = $(DUMPI_TEST_LIBS)

# DUMPI as a trace format.
DUMPI_PROGRAM_TESTS = \
	tests/traces/dumpi/test-program-collectives \
	tests/traces/dumpi/test-program-messages \
	tests/traces/dumpi/test-program-opening \
	tests/traces/dumpi/test-programs
check_PROGRAMS += $(DUMPI_PROGRAM_TESTS)
TESTS += $(DUMPI_PROGRAM_TESTS)
DUMPI_PROGRAM_LIBS = $(TRACE_TEST_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_dumpi_test_programs_SOURCES = tests/traces/dumpi/test-programs.c $(DUMPI_TEST_FILES) \
	$(recorded_sources)
tests_traces_dumpi_test_programs_LDADD = $(DUMPI_PROGRAM_LIBS)
DUMPI_SCRIPT_FILES = tests/traces/dumpi/scripts.c tests/traces/dumpi/scripts.h $(DUMPI_TEST_FILES)
tests_traces_dumpi_test_program_collectives_SOURCES = tests/traces/dumpi/test-program-collectives.c \
	$(DUMPI_SCRIPT_FILES)
tests_traces_dumpi_test_program_collectives_LDADD = $(DUMPI_PROGRAM_LIBS)
tests_traces_dumpi_test_program_opening_SOURCES = tests/traces/dumpi/test-program-opening.c $(DUMPI_SCRIPT_FILES)
tests_traces_dumpi_test_program_opening_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_dumpi_test_program_opening_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_dumpi_test_program_messages_SOURCES = tests/traces/dumpi/test-program-messages.c $(DUMPI_SCRIPT_FILES)
tests_traces_dumpi_test_program_messages_LDADD = $(DUMPI_PROGRAM_LIBS)

# Writers, by what is read back.
check_PROGRAMS += tests/traces/writers/test-writers
TESTS += tests/traces/writers/test-writers
tests_traces_writers_test_writers_SOURCES = tests/traces/writers/test-writers.c tests/traces/sanitizers.c tests/traces/writers/same-program.c tests/traces/writers/same-program.h \
	$(archive_sources) $(recorded_sources)
tests_traces_writers_test_writers_LDADD = $(otf2_test_libs)
writer_tests = tests/traces/writers/test-writers-fail-alloc tests/traces/goal/test-goal tests/traces/goal/test-window \
	tests/traces/writers/test-round-trip
check_PROGRAMS += $(writer_tests)
TESTS += $(writer_tests)
tests_traces_writers_test_writers_fail_alloc_SOURCES = tests/traces/writers/test-writers-fail-alloc.c $(archive_sources)
tests_traces_writers_test_writers_fail_alloc_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_writers_test_writers_fail_alloc_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_goal_test_goal_SOURCES = tests/traces/goal/test-goal.c $(archive_sources)
tests_traces_goal_test_goal_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_goal_test_goal_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_writers_test_round_trip_SOURCES = tests/traces/writers/test-round-trip.c $(archive_sources)
tests_traces_writers_test_round_trip_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)
tests_traces_goal_test_window_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)

# Generated programs.
check_PROGRAMS += tests/traces/generate/test-generate tests/traces/generate/test-generate-laws
TESTS += tests/traces/generate/test-generate tests/traces/generate/test-generate-laws
tests_traces_generate_test_generate_SOURCES = tests/traces/generate/test-generate.c $(recorded_sources)
tests_traces_generate_test_generate_LDADD = $(otf2_test_libs)
tests_traces_generate_test_generate_laws_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_generate_test_generate_laws_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)

check_PROGRAMS += tests/traces/collectives/test-collectives-parts
TESTS += tests/traces/collectives/test-collectives-parts
tests_traces_collectives_test_collectives_parts_SOURCES = \
	tests/traces/collectives/test-collectives-parts.c \
	tests/traces/collectives/forms.c tests/traces/collectives/forms.h \
	tests/traces/collectives/model.c tests/traces/collectives/models.def tests/traces/collectives/model.h
tests_traces_collectives_test_collectives_parts_LDADD = libtraces.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
# The original DUMPI library as an oracle, where it is.
EXTRA_DIST += tests/traces/dumpitrace/test-oracle.c
if WITH_UNDUMPI
check_PROGRAMS += tests/traces/dumpitrace/test-oracle
TESTS += tests/traces/dumpitrace/test-oracle
tests_traces_dumpitrace_test_oracle_SOURCES = tests/traces/dumpitrace/test-oracle.c $(DUMPI_TEST_FILES)
tests_traces_dumpitrace_test_oracle_CPPFLAGS = $(AM_CPPFLAGS) $(UNDUMPI_CFLAGS)
tests_traces_dumpitrace_test_oracle_LDADD = libdumpi.la $(UNDUMPI_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)
endif

check_PROGRAMS += tests/traces/collectives/test-collectives-tables
TESTS += tests/traces/collectives/test-collectives-tables
tests_traces_collectives_test_collectives_tables_SOURCES = \
	tests/traces/collectives/test-collectives-tables.c \
	tests/traces/collectives/model.c tests/traces/collectives/models.def tests/traces/collectives/model.h
tests_traces_collectives_test_collectives_tables_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_collectives_test_collectives_tables_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

# The hash of a trace's content.
check_PROGRAMS += tests/traces/test-hash
TESTS += tests/traces/test-hash
tests_traces_test_hash_SOURCES = tests/traces/test-hash.c $(archive_sources)
tests_traces_test_hash_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_hash_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
