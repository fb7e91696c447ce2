# replay/library/: the public library.
libreplay_la_SOURCES += \
	replay/library/flitreplay.h \
	replay/library/library.c

lib_LTLIBRARIES += libflitreplay.la
pkginclude_HEADERS = replay/library/flitreplay.h
libflitreplay_la_SOURCES =
libflitreplay_la_LDFLAGS = -version-info $(FLITREPLAY_VERSION_INFO) -no-undefined -export-symbols-regex '^flr_'
libflitreplay_la_LIBADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS)
