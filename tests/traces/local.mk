# Tests of traces/.
TRACE_TEST_LIBS = libtraces.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS)

check_PROGRAMS += tests/traces/dump-program
tests_traces_dump_program_SOURCES = tests/traces/dump-program.c
tests_traces_dump_program_LDADD = $(TRACE_TEST_LIBS)

# Collectives and the communication graph.
check_PROGRAMS += tests/traces/test-collectives
TESTS += tests/traces/test-collectives
tests_traces_test_collectives_SOURCES = \
	tests/traces/test-collectives.c \
	tests/traces/collective-forms.c tests/traces/collective-forms.h \
	tests/traces/collective-model.c tests/traces/collective-models.def tests/traces/collective-model.h
tests_traces_test_collectives_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_collectives_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/traces/test-collective-rounds
TESTS += tests/traces/test-collective-rounds
tests_traces_test_collective_rounds_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_collective_rounds_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/traces/test-collectives-recorded
TESTS += tests/traces/test-collectives-recorded
tests_traces_test_collectives_recorded_SOURCES = \
	tests/traces/test-collectives-recorded.c \
	tests/traces/recorded-mpich.def tests/traces/recorded-openmpi.def
tests_traces_test_collectives_recorded_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/traces/test-graph
TESTS += tests/traces/test-graph
tests_traces_test_graph_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_graph_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

# What is wrong with a trace.
check_PROGRAMS += tests/traces/test-defect tests/traces/test-doctor tests/traces/test-expansion
TESTS += tests/traces/test-defect tests/traces/test-doctor tests/traces/test-expansion
check_PROGRAMS += tests/traces/test-processor-loss
TESTS += tests/traces/test-processor-loss
tests_traces_test_processor_loss_LDADD = libtraces.la libbase.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/traces/test-joined
TESTS += tests/traces/test-joined
tests_traces_test_joined_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_joined_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_traces_test_expansion_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_expansion_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_traces_test_doctor_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_doctor_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_traces_test_defect_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_defect_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

# Communicators across ranks, and what calls imply.
check_PROGRAMS += tests/traces/test-communicators tests/traces/test-implied
TESTS += tests/traces/test-communicators tests/traces/test-implied
tests_traces_test_communicators_SOURCES = \
	tests/traces/test-communicators.c \
	tests/traces/communicator-model.c tests/traces/communicator-model.h
tests_traces_test_communicators_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_communicators_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
tests_traces_test_implied_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)

# The OTF2 reader.
otf2_tests = \
	tests/traces/test-otf2-groundtruth \
	tests/traces/test-otf2-invalid \
	tests/traces/test-otf2-fail-alloc \
	tests/traces/test-otf2-creations \
	tests/traces/test-otf2-events \
	tests/traces/test-otf2-groups \
	tests/traces/test-otf2-intercommunicators \
	tests/traces/test-length \
	tests/traces/test-otf2-options \
	tests/traces/test-otf2-memory \
	tests/traces/test-otf2-mutations \
	tests/traces/test-otf2-programs \
	tests/traces/test-otf2-records \
	tests/traces/test-otf2-repairs \
	tests/traces/test-otf2-writers
check_PROGRAMS += $(otf2_tests)
TESTS += $(otf2_tests)
otf2_test_libs = $(TRACE_TEST_LIBS) $(JANSSON_LIBS) $(CMOCKA_LIBS)
archive_sources = tests/traces/archive.c tests/traces/archive.h
recorded_sources = tests/traces/recorded.c tests/traces/recorded.h

tests_traces_test_otf2_groundtruth_SOURCES = tests/traces/test-otf2-groundtruth.c $(recorded_sources)
tests_traces_test_otf2_groundtruth_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_writers_SOURCES = tests/traces/test-otf2-writers.c $(recorded_sources)
tests_traces_test_otf2_writers_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_programs_SOURCES = tests/traces/test-otf2-programs.c $(recorded_sources)
tests_traces_test_otf2_programs_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_events_SOURCES = tests/traces/test-otf2-events.c $(archive_sources) $(recorded_sources)
tests_traces_test_otf2_events_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_groups_SOURCES = tests/traces/test-otf2-groups.c $(archive_sources)
tests_traces_test_otf2_groups_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_records_SOURCES = tests/traces/test-otf2-records.c $(archive_sources)
tests_traces_test_otf2_records_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_options_SOURCES = tests/traces/test-otf2-options.c $(archive_sources) $(recorded_sources)
tests_traces_test_otf2_options_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_creations_SOURCES = tests/traces/test-otf2-creations.c $(archive_sources) $(recorded_sources)
tests_traces_test_otf2_creations_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_intercommunicators_SOURCES = tests/traces/test-otf2-intercommunicators.c $(archive_sources)
tests_traces_test_otf2_intercommunicators_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_repairs_SOURCES = tests/traces/test-otf2-repairs.c $(archive_sources)
tests_traces_test_otf2_repairs_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_invalid_SOURCES = tests/traces/test-otf2-invalid.c tests/traces/sanitizers.c $(archive_sources) \
	$(recorded_sources)
tests_traces_test_otf2_invalid_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_mutations_SOURCES = tests/traces/test-otf2-mutations.c tests/traces/sanitizers.c $(archive_sources) $(recorded_sources)
tests_traces_test_otf2_mutations_LDADD = $(otf2_test_libs)
tests_traces_test_length_SOURCES = tests/traces/test-length.c $(archive_sources)
tests_traces_test_length_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_memory_SOURCES = tests/traces/test-otf2-memory.c $(archive_sources)
tests_traces_test_otf2_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
tests_traces_test_otf2_memory_LDADD = $(otf2_test_libs)
tests_traces_test_otf2_fail_alloc_SOURCES = tests/traces/test-otf2-fail-alloc.c tests/traces/sanitizers.c \
	$(archive_sources)
tests_traces_test_otf2_fail_alloc_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_otf2_fail_alloc_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)

# The DUMPI library: dump-dumpi prints records for people and for scripts.
check_PROGRAMS += tests/traces/dump-dumpi
tests_traces_dump_dumpi_SOURCES = tests/traces/dump-dumpi.c
tests_traces_dump_dumpi_LDADD = libdumpitrace.la
DUMPI_TESTS = \
	tests/traces/test-dumpi-traces \
	tests/traces/test-dumpi-records \
	tests/traces/test-dumpi-hostile
check_PROGRAMS += $(DUMPI_TESTS)
TESTS += $(DUMPI_TESTS)
DUMPI_TEST_LIBS = libdumpi.la tests/libfailalloc.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
DUMPI_TEST_FILES = tests/traces/dumpi-files.c tests/traces/dumpi-files.h
tests_traces_test_dumpi_traces_SOURCES = tests/traces/test-dumpi-traces.c $(DUMPI_TEST_FILES)
tests_traces_test_dumpi_traces_LDADD = libdumpi.la $(JANSSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_test_dumpi_records_SOURCES = tests/traces/test-dumpi-records.c $(DUMPI_TEST_FILES)
tests_traces_test_dumpi_records_LDADD = libdumpi.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_test_dumpi_hostile_SOURCES = tests/traces/test-dumpi-hostile.c $(DUMPI_TEST_FILES)
tests_traces_test_dumpi_hostile_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_dumpi_hostile_LDADD = $(DUMPI_TEST_LIBS)

# DUMPI as a trace format.
DUMPI_PROGRAM_TESTS = \
	tests/traces/test-dumpi-program-collectives \
	tests/traces/test-dumpi-program-messages \
	tests/traces/test-dumpi-program-opening \
	tests/traces/test-dumpi-programs
check_PROGRAMS += $(DUMPI_PROGRAM_TESTS)
TESTS += $(DUMPI_PROGRAM_TESTS)
DUMPI_PROGRAM_LIBS = $(TRACE_TEST_LIBS) $(JANSSON_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_test_dumpi_programs_SOURCES = tests/traces/test-dumpi-programs.c $(DUMPI_TEST_FILES) \
	$(recorded_sources)
tests_traces_test_dumpi_programs_LDADD = $(DUMPI_PROGRAM_LIBS)
DUMPI_SCRIPT_FILES = tests/traces/dumpi-scripts.c tests/traces/dumpi-scripts.h $(DUMPI_TEST_FILES)
tests_traces_test_dumpi_program_collectives_SOURCES = tests/traces/test-dumpi-program-collectives.c \
	$(DUMPI_SCRIPT_FILES)
tests_traces_test_dumpi_program_collectives_LDADD = $(DUMPI_PROGRAM_LIBS)
tests_traces_test_dumpi_program_opening_SOURCES = tests/traces/test-dumpi-program-opening.c $(DUMPI_SCRIPT_FILES)
tests_traces_test_dumpi_program_opening_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_dumpi_program_opening_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_test_dumpi_program_messages_SOURCES = tests/traces/test-dumpi-program-messages.c $(DUMPI_SCRIPT_FILES)
tests_traces_test_dumpi_program_messages_LDADD = $(DUMPI_PROGRAM_LIBS)

# Writers, by what is read back.
check_PROGRAMS += tests/traces/test-writers
TESTS += tests/traces/test-writers
tests_traces_test_writers_SOURCES = tests/traces/test-writers.c tests/traces/sanitizers.c tests/traces/same-program.c tests/traces/same-program.h \
	$(archive_sources) $(recorded_sources)
tests_traces_test_writers_LDADD = $(otf2_test_libs)
writer_tests = tests/traces/test-writers-fail-alloc tests/traces/test-goal tests/traces/test-goal-window \
	tests/traces/test-round-trip
check_PROGRAMS += $(writer_tests)
TESTS += $(writer_tests)
tests_traces_test_writers_fail_alloc_SOURCES = tests/traces/test-writers-fail-alloc.c $(archive_sources)
tests_traces_test_writers_fail_alloc_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_writers_fail_alloc_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_test_goal_SOURCES = tests/traces/test-goal.c $(archive_sources)
tests_traces_test_goal_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_goal_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_test_round_trip_SOURCES = tests/traces/test-round-trip.c $(archive_sources)
tests_traces_test_round_trip_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)
tests_traces_test_goal_window_LDADD = $(TRACE_TEST_LIBS) $(CMOCKA_LIBS)

# Generated programs.
check_PROGRAMS += tests/traces/test-generate tests/traces/test-generate-laws
TESTS += tests/traces/test-generate tests/traces/test-generate-laws
tests_traces_test_generate_SOURCES = tests/traces/test-generate.c $(recorded_sources)
tests_traces_test_generate_LDADD = $(otf2_test_libs)
tests_traces_test_generate_laws_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_generate_laws_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)

check_PROGRAMS += tests/traces/test-collectives-parts
TESTS += tests/traces/test-collectives-parts
tests_traces_test_collectives_parts_SOURCES = \
	tests/traces/test-collectives-parts.c \
	tests/traces/collective-forms.c tests/traces/collective-forms.h \
	tests/traces/collective-model.c tests/traces/collective-models.def tests/traces/collective-model.h
tests_traces_test_collectives_parts_LDADD = libtraces.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
# The original DUMPI library as an oracle, where it is.
EXTRA_DIST += tests/traces/test-dumpi-oracle.c
if WITH_UNDUMPI
check_PROGRAMS += tests/traces/test-dumpi-oracle
TESTS += tests/traces/test-dumpi-oracle
tests_traces_test_dumpi_oracle_SOURCES = tests/traces/test-dumpi-oracle.c $(DUMPI_TEST_FILES)
tests_traces_test_dumpi_oracle_CPPFLAGS = $(AM_CPPFLAGS) $(UNDUMPI_CFLAGS)
tests_traces_test_dumpi_oracle_LDADD = libdumpi.la $(UNDUMPI_LIBS) $(ZLIB_LIBS) $(CMOCKA_LIBS)
endif

check_PROGRAMS += tests/traces/test-collectives-tables
TESTS += tests/traces/test-collectives-tables
tests_traces_test_collectives_tables_SOURCES = \
	tests/traces/test-collectives-tables.c \
	tests/traces/collective-model.c tests/traces/collective-models.def tests/traces/collective-model.h
tests_traces_test_collectives_tables_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_collectives_tables_LDADD = libtraces.la libbase.la tests/libfailalloc.la $(OTF2_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

# The hash of a trace's content.
check_PROGRAMS += tests/traces/test-hash
TESTS += tests/traces/test-hash
tests_traces_test_hash_SOURCES = tests/traces/test-hash.c $(archive_sources)
tests_traces_test_hash_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_test_hash_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
