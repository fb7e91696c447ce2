# The room replay/: one convenience library, the public library made of all rooms, and the program.
noinst_LTLIBRARIES += libreplay.la
libreplay_la_SOURCES = \
	replay/session/fit.c \
	replay/library/flitreplay.h replay/library/library.c \
	replay/system/host.c replay/system/host.h \
	replay/session/inputs.c replay/session/inputs.h \
	replay/jobs.c replay/jobs.h \
	replay/session/kinds.c replay/session/kinds.h \
	replay/options.c replay/options.h replay/options.def replay/option-texts.def replay/commands.def \
	replay/session/partition.c replay/session/partition.h \
	replay/session/clocks.c replay/session/clocks.h \
	replay/session/record.c replay/session/record.h \
	replay/engine/recorder.c replay/engine/recorder.h \
	replay/session/session.c replay/session/session.h replay/session/stages.h \
	replay/session/attribution.c \
	replay/session/chance.c \
	replay/session/info.c \
	replay/session/jobs.c replay/session/recording.h replay/session/recording.c \
	replay/session/path.c \
	replay/session/what-if.c \
	replay/session/report.c

# In link order: each room before those it looks at.
FLITREPLAY_ROOMS = libreplay.la libreports.la libmappers.la libtraces.la libnetmodel.la libbase.la
FLITREPLAY_LIBS = $(OTF2_LIBS) $(JANSSON_LIBS) $(XXHASH_LIBS) -lpthread -lm

lib_LTLIBRARIES += libflitreplay.la
pkginclude_HEADERS = replay/library/flitreplay.h
libflitreplay_la_SOURCES =
libflitreplay_la_LDFLAGS = -version-info $(FLITREPLAY_VERSION_INFO) -no-undefined -export-symbols-regex '^flr_'
libflitreplay_la_LIBADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS)

# The program uses the rooms themselves: the public library hides everything that is not flr_.
bin_PROGRAMS += flitreplay
flitreplay_SOURCES = \
	replay/commands/arguments.c \
	replay/commands/command.h replay/commands/command-line.c \
	replay/commands/check.c \
	replay/commands/collective.c \
	replay/commands/compare.c \
	replay/commands/convert.c \
	replay/commands/generate.c \
	replay/commands/info.c \
	replay/commands/list.c \
	replay/commands/map.c \
	replay/commands/results.c \
	replay/commands/run.c \
	replay/commands/run-jobs.c \
	replay/commands/topology.c \
	replay/commands/traffic.c \
	replay/timeline/execution.c replay/timeline/execution.h replay/timeline/internal.h \
	replay/timeline/lanes.c replay/timeline/load.c replay/timeline/paje.c replay/timeline/walk.c \
	replay/commands/pictures.c replay/commands/pictures.h replay/system/files.c replay/system/files.h \
	replay/commands/graph-file.c replay/commands/graph-file.h \
	replay/commands/help.c \
	replay/commands/main.c \
	replay/compare/plan.c replay/compare/plan.h \
	replay/commands/progress.c replay/commands/progress.h \
	replay/compare/queue.c replay/compare/queue.h replay/compare/queue-internal.h replay/compare/queue-world.c \
	replay/system/signals.c replay/system/signals.h \
	replay/commands/strict.c \
	replay/values.c replay/values.h
flitreplay_LDADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS)

# Results of comparisons on disk, or the refusal of a program that was built without SQLite. The library does without.
flitreplay_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) $(YAML_CFLAGS)
flitreplay_LDADD += $(SQLITE_LIBS) $(YAML_LIBS)
flitreplay_SOURCES += replay/compare/store.h
if WITH_SQLITE
flitreplay_SOURCES += replay/compare/store.c replay/compare/store-format.c replay/compare/store-kept.c replay/compare/store-internal.h replay/compare/store-query.c
else
flitreplay_SOURCES += replay/compare/store-none.c
endif

# Experiment files, in the same way.
flitreplay_SOURCES += replay/compare/experiment-file.h
if WITH_YAML
flitreplay_SOURCES += replay/compare/experiment-file.c
else
flitreplay_SOURCES += replay/compare/experiment-none.c
endif

# Processes that work together on a comparison, in the same way.
flitreplay_CPPFLAGS += $(MPI_CFLAGS)
flitreplay_LDADD += $(MPI_LIBS)
flitreplay_SOURCES += replay/system/world.h replay/system/world-launcher.c
if WITH_MPI
flitreplay_SOURCES += replay/system/world-mpi.c
else
flitreplay_SOURCES += replay/system/world-none.c
endif

# The replay engine.
libreplay_la_SOURCES += replay/engine/replay.h replay/engine/internal.h replay/engine/engine.c replay/engine/loop.c replay/engine/rank.c replay/engine/waits.c replay/engine/path.c \
	replay/engine/matching.c replay/engine/message.c replay/engine/collective.c \
	replay/engine/multicast.c replay/engine/diagnosis.c

# What runs beside the jobs of a replay.
libreplay_la_SOURCES += replay/engine/background.c replay/engine/background.h

# Synthetic traffic: one run, and points of many; several threads.
libreplay_la_SOURCES += replay/traffic/traffic.h replay/traffic/traffic.c replay/traffic/run.c replay/traffic/histogram.h replay/traffic/histogram.c \
	replay/traffic/steady.h replay/traffic/steady.c
