# The room traces/: one convenience library.
noinst_LTLIBRARIES += libtraces.la
libtraces_la_SOURCES =
libtraces_la_SOURCES += traces/program.c traces/program.h traces/program-internal.h traces/collectives.def
