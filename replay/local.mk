# The room replay/: one convenience library, the public library made of all rooms, and the program.
noinst_LTLIBRARIES += libreplay.la
libreplay_la_SOURCES = \
	replay/fit.c \
	replay/flitreplay.h replay/library.c \
	replay/host.c replay/host.h \
	replay/inputs.c replay/inputs.h \
	replay/jobs.c replay/jobs.h \
	replay/kinds.c replay/kinds.h \
	replay/options.c replay/options.h replay/options.def replay/option-texts.def replay/commands.def \
	replay/partition.c replay/partition.h \
	replay/clocks.c replay/clocks.h \
	replay/record.c replay/record.h \
	replay/recorder.c replay/recorder.h \
	replay/session.c replay/session.h replay/session-internal.h \
	replay/session-attribution.c \
	replay/session-chance.c \
	replay/session-info.c \
	replay/session-jobs.c replay/session-recording.h replay/session-recording.c \
	replay/session-path.c \
	replay/session-what-if.c \
	replay/session-report.c

# In link order: each room before those it looks at.
FLITREPLAY_ROOMS = libreplay.la libreports.la libmappers.la libtraces.la libnetmodel.la libbase.la
FLITREPLAY_LIBS = $(OTF2_LIBS) $(JANSSON_LIBS) $(XXHASH_LIBS) -lpthread -lm

lib_LTLIBRARIES += libflitreplay.la
pkginclude_HEADERS = replay/flitreplay.h
libflitreplay_la_SOURCES =
libflitreplay_la_LDFLAGS = -version-info $(FLITREPLAY_VERSION_INFO) -no-undefined -export-symbols-regex '^flr_'
libflitreplay_la_LIBADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS)

# The program uses the rooms themselves: the public library hides everything that is not flr_.
bin_PROGRAMS += flitreplay
flitreplay_SOURCES = \
	replay/arguments.c \
	replay/command.h replay/command-line.c \
	replay/command-check.c \
	replay/command-collective.c \
	replay/command-compare.c \
	replay/command-convert.c \
	replay/command-generate.c \
	replay/command-info.c \
	replay/command-list.c \
	replay/command-map.c \
	replay/command-results.c \
	replay/command-run.c \
	replay/command-run-jobs.c \
	replay/command-topology.c \
	replay/command-traffic.c \
	replay/execution.c replay/execution.h replay/execution-internal.h \
	replay/execution-lanes.c replay/execution-load.c replay/execution-paje.c replay/execution-walk.c \
	replay/pictures.c replay/pictures.h replay/files.c replay/files.h \
	replay/graph-file.c replay/graph-file.h \
	replay/help.c \
	replay/main.c \
	replay/plan.c replay/plan.h \
	replay/progress.c replay/progress.h \
	replay/queue.c replay/queue.h replay/queue-internal.h replay/queue-world.c \
	replay/signals.c replay/signals.h \
	replay/strict.c \
	replay/values.c replay/values.h
flitreplay_LDADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS)

# Results of comparisons on disk, or the refusal of a program that was built without SQLite. The library does without.
flitreplay_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS) $(YAML_CFLAGS)
flitreplay_LDADD += $(SQLITE_LIBS) $(YAML_LIBS)
flitreplay_SOURCES += replay/store.h
if WITH_SQLITE
flitreplay_SOURCES += replay/store.c replay/store-format.c replay/store-kept.c replay/store-internal.h replay/store-query.c
else
flitreplay_SOURCES += replay/store-none.c
endif

# Experiment files, in the same way.
flitreplay_SOURCES += replay/experiment-file.h
if WITH_YAML
flitreplay_SOURCES += replay/experiment-file.c
else
flitreplay_SOURCES += replay/experiment-none.c
endif

# Processes that work together on a comparison, in the same way.
flitreplay_CPPFLAGS += $(MPI_CFLAGS)
flitreplay_LDADD += $(MPI_LIBS)
flitreplay_SOURCES += replay/world.h replay/world-launcher.c
if WITH_MPI
flitreplay_SOURCES += replay/world-mpi.c
else
flitreplay_SOURCES += replay/world-none.c
endif

# The replay engine.
libreplay_la_SOURCES += replay/replay.h replay/engine-internal.h replay/engine.c replay/engine-loop.c replay/engine-rank.c replay/engine-waits.c replay/engine-path.c \
	replay/engine-matching.c replay/engine-message.c replay/engine-collective.c \
	replay/engine-multicast.c replay/engine-diagnosis.c

# What runs beside the jobs of a replay.
libreplay_la_SOURCES += replay/background.c replay/background.h

# Synthetic traffic: one run, and points of many; several threads.
libreplay_la_SOURCES += replay/traffic.h replay/traffic.c replay/traffic-run.c replay/histogram.h replay/histogram.c \
	replay/steady.h replay/steady.c
