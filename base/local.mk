# The room base/: one convenience library.
noinst_LTLIBRARIES += libbase.la
libbase_la_SOURCES =
