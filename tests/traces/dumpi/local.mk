# Tests of traces/dumpi/.
traces_dumpi_tests = \
	tests/traces/dumpi/test-program-collectives \
	tests/traces/dumpi/test-program-messages \
	tests/traces/dumpi/test-program-opening \
	tests/traces/dumpi/test-programs \
	tests/traces/dumpi/test-survey
check_PROGRAMS += $(traces_dumpi_tests)
TESTS += $(traces_dumpi_tests)
tests_traces_dumpi_test_program_collectives_SOURCES = tests/traces/dumpi/test-program-collectives.c \
	$(DUMPI_SCRIPT_FILES)
tests_traces_dumpi_test_program_collectives_LDADD = $(DUMPI_PROGRAM_LIBS)
tests_traces_dumpi_test_program_messages_SOURCES = tests/traces/dumpi/test-program-messages.c $(DUMPI_SCRIPT_FILES)
tests_traces_dumpi_test_program_messages_LDADD = $(DUMPI_PROGRAM_LIBS)
tests_traces_dumpi_test_program_opening_SOURCES = tests/traces/dumpi/test-program-opening.c $(DUMPI_SCRIPT_FILES)
tests_traces_dumpi_test_program_opening_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_dumpi_test_program_opening_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(ZLIB_LIBS) $(CMOCKA_LIBS)
tests_traces_dumpi_test_survey_SOURCES = tests/traces/dumpi/test-survey.c $(DUMPI_SCRIPT_FILES)
tests_traces_dumpi_test_survey_LDADD = $(DUMPI_PROGRAM_LIBS)
tests_traces_dumpi_test_programs_SOURCES = tests/traces/dumpi/test-programs.c $(DUMPI_TEST_FILES) \
	$(recorded_sources)
tests_traces_dumpi_test_programs_LDADD = $(DUMPI_PROGRAM_LIBS)
