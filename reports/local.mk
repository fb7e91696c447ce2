# The room reports/: one convenience library.
noinst_LTLIBRARIES += libreports.la
libreports_la_SOURCES =
