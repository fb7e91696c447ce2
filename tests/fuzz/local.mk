# Fuzz targets of the readers, and what is damaged without a fuzzer. `make fuzz` after configure --enable-fuzzing with
# CC=clang (or afl-clang-fast) builds tests/fuzz/fuzz-*; doc/fuzzing.md tells how to run them. In any build the targets
# read their corpus as a test.
FUZZ_SOURCES = tests/fuzz/files.c tests/fuzz/files.h tests/fuzz/soundness.c tests/fuzz/soundness.h $(drafted_sources)
FUZZ_TARGET_SOURCES = $(FUZZ_SOURCES) tests/fuzz/target.c tests/fuzz/target.h tests/traces/sanitizers.c
FUZZ_LIBS = libtraces.la libbase.la libdumpi.la $(OTF2_LIBS) $(XXHASH_LIBS) $(ZLIB_LIBS)

# The number of bytes that the suites of damaged files allow: tests/limit-alloc.h.
LIMIT_ALLOC_WRAPS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
ROBUST_SOURCES = $(FUZZ_SOURCES) tests/fuzz/mutate.c tests/fuzz/mutate.h \
	tests/limit-alloc.c tests/limit-alloc.h \
	tests/traces/robust.c tests/traces/robust.h tests/traces/sanitizers.c

robust_tests = tests/traces/otf2/test-robust tests/traces/dumpi/test-robust tests/traces/goal/test-robust
check_PROGRAMS += $(robust_tests)
TESTS += $(robust_tests)
tests_traces_otf2_test_robust_SOURCES = tests/traces/otf2/test-robust.c $(ROBUST_SOURCES) \
	tests/traces/archive.c tests/traces/archive.h tests/traces/recorded.c tests/traces/recorded.h
tests_traces_otf2_test_robust_LDFLAGS = $(LIMIT_ALLOC_WRAPS)
tests_traces_otf2_test_robust_LDADD = $(FUZZ_LIBS) $(JANSSON_LIBS) $(CMOCKA_LIBS)
tests_traces_dumpi_test_robust_SOURCES = tests/traces/dumpi/test-robust.c $(ROBUST_SOURCES) \
	tests/traces/dumpitrace/dumpi-files.c tests/traces/dumpitrace/dumpi-files.h
tests_traces_dumpi_test_robust_LDFLAGS = $(LIMIT_ALLOC_WRAPS)
tests_traces_dumpi_test_robust_LDADD = $(FUZZ_LIBS) $(CMOCKA_LIBS)
tests_traces_goal_test_robust_SOURCES = tests/traces/goal/test-robust.c $(ROBUST_SOURCES)
tests_traces_goal_test_robust_LDFLAGS = $(LIMIT_ALLOC_WRAPS)
tests_traces_goal_test_robust_LDADD = $(FUZZ_LIBS) $(CMOCKA_LIBS)

fuzz_replays = tests/fuzz/replay-otf2 tests/fuzz/replay-dumpi tests/fuzz/replay-goal tests/fuzz/replay-technology \
	tests/fuzz/replay-request
check_PROGRAMS += $(fuzz_replays) tests/fuzz/pack
TESTS += $(fuzz_replays)
tests_fuzz_replay_otf2_SOURCES = tests/fuzz/fuzz-otf2.c tests/fuzz/replay.c $(FUZZ_TARGET_SOURCES)
tests_fuzz_replay_otf2_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"otf2"'
tests_fuzz_replay_otf2_LDADD = $(FUZZ_LIBS)
tests_fuzz_replay_dumpi_SOURCES = tests/fuzz/fuzz-dumpi.c tests/fuzz/replay.c $(FUZZ_TARGET_SOURCES)
tests_fuzz_replay_dumpi_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"dumpi"'
tests_fuzz_replay_dumpi_LDADD = $(FUZZ_LIBS)
tests_fuzz_replay_goal_SOURCES = tests/fuzz/fuzz-goal.c tests/fuzz/replay.c $(FUZZ_TARGET_SOURCES)
tests_fuzz_replay_goal_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"goal"'
tests_fuzz_replay_goal_LDADD = $(FUZZ_LIBS)
# Technologies are texts of their own, and no traces.
FUZZ_TECHNOLOGY_LIBS = libnetmodel.la libbase.la $(XXHASH_LIBS) -lpthread -lm
tests_fuzz_replay_technology_SOURCES = tests/fuzz/fuzz-technology.c tests/fuzz/replay.c tests/fuzz/target.h
tests_fuzz_replay_technology_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"technology"'
tests_fuzz_replay_technology_LDADD = $(FUZZ_TECHNOLOGY_LIBS)
# Requests are asked of the library as its users do.
FUZZ_REQUEST_SOURCES = tests/fuzz/fuzz-request.c tests/fuzz/request.c tests/fuzz/request.h tests/fuzz/requests.def tests/fuzz/target.h
tests_fuzz_replay_request_SOURCES = tests/fuzz/replay.c $(FUZZ_REQUEST_SOURCES)
tests_fuzz_replay_request_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"request"'
tests_fuzz_replay_request_LDADD = libflitreplay.la
tests_fuzz_pack_SOURCES = tests/fuzz/pack.c $(FUZZ_SOURCES)
tests_fuzz_pack_LDADD = $(FUZZ_LIBS)
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/make-corpus tests/fuzz/goal.dict tests/fuzz/run tests/fuzz/add-account tests/fuzz/grow-corpus

fuzz_targets = tests/fuzz/fuzz-otf2 tests/fuzz/fuzz-dumpi tests/fuzz/fuzz-goal tests/fuzz/fuzz-technology tests/fuzz/fuzz-request
EXTRA_PROGRAMS += $(fuzz_targets)
CLEANFILES += $(fuzz_targets)
tests_fuzz_fuzz_otf2_SOURCES = tests/fuzz/fuzz-otf2.c $(FUZZ_TARGET_SOURCES)
tests_fuzz_fuzz_otf2_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_otf2_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_dumpi_SOURCES = tests/fuzz/fuzz-dumpi.c $(FUZZ_TARGET_SOURCES)
tests_fuzz_fuzz_dumpi_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_dumpi_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_goal_SOURCES = tests/fuzz/fuzz-goal.c $(FUZZ_TARGET_SOURCES)
tests_fuzz_fuzz_goal_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_goal_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_technology_SOURCES = tests/fuzz/fuzz-technology.c tests/fuzz/target.h
tests_fuzz_fuzz_technology_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_technology_LDADD = $(FUZZ_TECHNOLOGY_LIBS)

tests_fuzz_fuzz_request_SOURCES = $(FUZZ_REQUEST_SOURCES) tests/fuzz/mutator.c tests/fuzz/mutate.c tests/fuzz/mutate.h
tests_fuzz_fuzz_request_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_request_LDADD = libflitreplay.la libbase.la

# make fuzz builds them; make fuzz MINUTES=N also runs each for so long, on inputs of every kind.
.PHONY: fuzz
if FUZZING
fuzz: $(BUILT_SOURCES)
	@$(MAKE) $(AM_MAKEFLAGS) $(fuzz_targets)
	@test -z '$(MINUTES)' || $(top_srcdir)/tests/fuzz/run '$(MINUTES)' $(KINDS)
else
fuzz:
	@echo 'make fuzz: configure with CC=clang --enable-fuzzing first' >&2; exit 1
endif
