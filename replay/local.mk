# The room replay/: one convenience library.
noinst_LTLIBRARIES += libreplay.la
libreplay_la_SOURCES =
