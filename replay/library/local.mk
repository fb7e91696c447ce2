# replay/library/: the public library.
libreplay_la_SOURCES += \
	replay/library/answer.c \
	replay/library/errors.c \
	replay/library/flitreplay.h \
	replay/library/internal.h \
	replay/library/library.c \
	replay/library/request.c \
	replay/library/tables.c \
	replay/library/values.c \
	replay/library/world.c

lib_LTLIBRARIES += libflitreplay.la
pkginclude_HEADERS = replay/library/flitreplay.h
libflitreplay_la_LDFLAGS = $(AM_LDFLAGS) -version-info $(FLITREPLAY_VERSION_INFO) -no-undefined $(FLITREPLAY_SYMBOLS)
libflitreplay_la_LIBADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS)
EXTRA_libflitreplay_la_DEPENDENCIES = $(srcdir)/replay/library/flitreplay.map
EXTRA_DIST += replay/library/flitreplay.map

# The package for Python: calls of the shared library, nothing to build.
if PYTHON_PACKAGE
pypackagedir = $(pythondir)/flitreplay
pypackage_PYTHON = replay/library/python/flitreplay/__init__.py
else
EXTRA_DIST += replay/library/python/flitreplay/__init__.py
endif

# With versions of symbols where the linker has them.
if SYMBOL_VERSIONS
FLITREPLAY_SYMBOLS = -Wl,--version-script=$(srcdir)/replay/library/flitreplay.map
else
FLITREPLAY_SYMBOLS = -export-symbols-regex '^flr_'
endif
