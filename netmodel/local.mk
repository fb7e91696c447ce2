# The room netmodel/: one convenience library.
noinst_LTLIBRARIES += libnetmodel.la
libnetmodel_la_SOURCES =
