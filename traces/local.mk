# The room traces/: one convenience library.
noinst_LTLIBRARIES += libtraces.la
libtraces_la_SOURCES =
libtraces_la_SOURCES += traces/program.c traces/program.h traces/program-internal.h traces/collectives.def
libtraces_la_SOURCES += traces/open.c traces/format.h traces/kinds.def traces/grow.h \
	traces/otf2-format.c \
	traces/otf2-archive.c traces/otf2-archive.h \
	traces/otf2-calls.c traces/otf2-calls.h traces/otf2-calls.def \
	traces/otf2-collect.c traces/otf2-collect.h \
	traces/otf2-decoder.c traces/otf2-decoder.h \
	traces/otf2-definitions.c traces/otf2-definitions.h \
	traces/otf2-events.c traces/otf2-events.h traces/otf2-events.def \
	traces/otf2-messages.c \
	traces/otf2-queue.c traces/otf2-queue.h \
	traces/otf2-report.c traces/otf2-report.h traces/otf2-repairs.def \
	traces/otf2-requests.c traces/otf2-requests.h \
	traces/otf2-sizes.c traces/otf2-sizes.h \
	traces/otf2-stream.c traces/otf2-stream.h \
	traces/otf2-survey.c traces/otf2-survey.h \
	traces/otf2-tables.h
