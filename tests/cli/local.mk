# Tests of the command line and of the library, as a user meets them.
cli_programs = \
	tests/cli/test-attribution \
	tests/cli/test-chance \
	tests/cli/test-library \
	tests/cli/test-options \
	tests/cli/test-session \
	tests/cli/test-signals
cli_scripts = \
	tests/cli/test-build \
	tests/cli/test-check \
	tests/cli/test-collective \
	tests/cli/test-compare \
	tests/cli/test-convert \
	tests/cli/test-cost \
	tests/cli/test-deadlock \
	tests/cli/test-example \
	tests/cli/test-fields \
	tests/cli/test-formats \
	tests/cli/test-experiment \
	tests/cli/test-generate \
	tests/cli/test-hardware \
	tests/cli/test-help \
	tests/cli/test-timeline \
	tests/cli/test-input \
	tests/cli/test-jobs \
	tests/cli/test-accessibility \
	tests/cli/test-host \
	tests/cli/test-machines \
	tests/cli/test-manual \
	tests/cli/test-map \
	tests/cli/test-memory \
	tests/cli/test-mpirun \
	tests/cli/test-notebook \
	tests/cli/test-output \
	tests/cli/test-pages \
	tests/cli/test-quickstart \
	tests/cli/test-python \
	tests/cli/test-readme \
	tests/cli/test-record \
	tests/cli/test-recording \
	tests/cli/test-reproduce \
	tests/cli/test-run \
	tests/cli/test-store \
	tests/cli/test-tasks \
	tests/cli/test-topology \
	tests/cli/test-traffic \
	tests/cli/test-tutorial \
	tests/cli/test-usage \
	tests/cli/test-windows \
	tests/cli/test-wrong-input
check_PROGRAMS += $(cli_programs) tests/cli/make-deadlock tests/cli/make-trace doc/examples/replay doc/examples/sweep doc/examples/mapping
TESTS += $(cli_programs) $(cli_scripts)
EXTRA_DIST += $(cli_scripts) tests/cli/expect.sh tests/cli/program.sh tests/cli/document.sh tests/cli/wrong-input.table

# The library is tested through its own symbols alone.
tests_cli_test_library_LDADD = libflitreplay.la $(JANSSON_LIBS) $(CMOCKA_LIBS) -lpthread
tests_cli_test_attribution_LDADD = tests/traces/libmemory.la $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
tests_cli_test_chance_LDADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
tests_cli_test_options_LDADD = $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
tests_cli_test_options_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_cli_test_session_LDADD = tests/traces/libmemory.la $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
tests_cli_test_session_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)

# To preload: a library for a loader, whatever libraries the program itself is linked with.
check_DATA += tests/cli/fail-everywhere.so
CLEANFILES += tests/cli/fail-everywhere.so
EXTRA_DIST += tests/cli/fail-everywhere.c
tests/cli/fail-everywhere.so: tests/cli/fail-everywhere.c
	$(AM_V_CCLD)$(MKDIR_P) tests/cli && $(CC) -std=c11 -O1 -g -Wall -Wextra -Wshadow -Wconversion $(CPPFLAGS) -fPIC -shared \
		-o $@ $(top_srcdir)/tests/cli/fail-everywhere.c

tests_cli_test_signals_LDADD = $(JANSSON_LIBS) $(CMOCKA_LIBS)
tests_cli_make_deadlock_LDADD = tests/traces/libmemory.la $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS)
# Writes small OTF2 archives that no recorder would.
tests_cli_make_trace_LDADD = $(OTF2_LIBS)

EXTRA_DIST += tests/cli/test-store-memory.c
if WITH_SQLITE
check_PROGRAMS += tests/cli/test-store-memory
TESTS += tests/cli/test-store-memory
endif
tests_cli_test_store_memory_SOURCES = tests/cli/test-store-memory.c
tests_cli_test_store_memory_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
tests_cli_test_store_memory_LDADD = $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) $(CMOCKA_LIBS)
tests_cli_test_store_memory_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)

# The examples are built as a user builds them: with the header below flitreplay/, and nothing else of ours.
doc_examples_replay_SOURCES = doc/examples/replay.c
doc_examples_replay_CPPFLAGS = -I$(builddir)/doc/include
doc_examples_replay_LDADD = libflitreplay.la
doc/examples/replay-replay.$(OBJEXT): doc/include/flitreplay/flitreplay.h
doc_examples_sweep_SOURCES = doc/examples/sweep.c
doc_examples_sweep_CPPFLAGS = -I$(builddir)/doc/include
doc_examples_sweep_LDADD = libflitreplay.la
doc/examples/sweep-sweep.$(OBJEXT): doc/include/flitreplay/flitreplay.h
doc_examples_mapping_SOURCES = doc/examples/mapping.c
doc_examples_mapping_CPPFLAGS = -I$(builddir)/doc/include
doc_examples_mapping_LDADD = libflitreplay.la
doc/examples/mapping-mapping.$(OBJEXT): doc/include/flitreplay/flitreplay.h
doc/include/flitreplay/flitreplay.h: replay/library/flitreplay.h
	$(AM_V_GEN)$(MKDIR_P) doc/include/flitreplay && cp '$(srcdir)/replay/library/flitreplay.h' $@
CLEANFILES += doc/include/flitreplay/flitreplay.h
