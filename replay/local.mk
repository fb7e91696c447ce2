# The room replay/: one convenience library, the public library made of all rooms, and the program.
noinst_LTLIBRARIES += libreplay.la
libreplay_la_SOURCES = \
	replay/aliases.def \
	replay/commands.def \
	replay/examples.def \
	replay/configurations.c replay/configurations.h \
	replay/host.c replay/host.def replay/host.h \
	replay/jobs.c replay/jobs.h \
	replay/option-texts.def \
	replay/options.c replay/options.h replay/options.def \
	replay/values.c replay/values.h
libreplay_la_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)

# In link order: each room before those it looks at.
FLITREPLAY_ROOMS = libreplay.la libreports.la libmappers.la libtraces.la libnetmodel.la libbase.la
FLITREPLAY_LIBS = $(OTF2_LIBS) $(JANSSON_LIBS) $(XXHASH_LIBS) $(YAML_LIBS) $(SQLITE_LIBS) -lpthread -lm

# The program is calls of the public library, which hides everything that is not flr_. Without SQLite (results on disk),
# libyaml (machines, experiment files) or MPI (processes that share a comparison) the file that needs it refuses.
bin_PROGRAMS += flitreplay
flitreplay_SOURCES =
libflitreplay_la_SOURCES =
flitreplay_LDFLAGS = $(AM_LDFLAGS) $(PIE_LDFLAGS)
flitreplay_LDADD = libflitreplay.la -lpthread

include replay/answers/local.mk
include replay/commands/local.mk
include replay/compare/local.mk
include replay/engine/local.mk
include replay/library/local.mk
include replay/machines/local.mk
include replay/mapping/local.mk
include replay/session/local.mk
include replay/system/local.mk
include replay/timeline/local.mk
include replay/traffic/local.mk
