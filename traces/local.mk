# The room traces/: one convenience library.
noinst_LTLIBRARIES += libtraces.la
libtraces_la_SOURCES =
