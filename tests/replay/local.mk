# Tests of replay/.
check_LTLIBRARIES += tests/replay/libsupport.la
tests_replay_libsupport_la_SOURCES = tests/replay/support.c tests/replay/support.h \
	tests/replay/engine/random-network.c tests/replay/engine/random-network.h \
	tests/replay/engine/random-program.c tests/replay/engine/random-program.h \
	tests/replay/engine/reference-matcher.c tests/replay/engine/reference-matcher.h \
	tests/replay/engine/watch.c tests/replay/engine/watch.h \
	tests/replay/session/told.h
REPLAY_TEST_LIBS = tests/replay/libsupport.la tests/traces/libmemory.la $(FLITREPLAY_ROOMS) tests/libfailalloc.la $(FLITREPLAY_LIBS) \
	$(CMOCKA_LIBS)

# The results of every recorded trace. This target writes them anew, as FLITREPLAY_UPDATE_GOLDEN=1 does.
EXTRA_DIST += tests/golden/replays.csv
update-golden-replays: tests/replay/engine/test-replay-traces$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) FLITREPLAY_UPDATE_GOLDEN=1 ./tests/replay/engine/test-replay-traces$(EXEEXT)

include tests/replay/compare/local.mk
include tests/replay/engine/local.mk
include tests/replay/session/local.mk
include tests/replay/traffic/local.mk
