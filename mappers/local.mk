# The room mappers/: one convenience library.
noinst_LTLIBRARIES += libmappers.la
libmappers_la_SOURCES =
