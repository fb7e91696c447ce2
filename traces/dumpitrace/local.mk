# traces/dumpitrace/: the DUMPI reader and writer, a library of its own, which uses nothing of the others. Tests and the rooms link
# with the convenience library, others with the installed one, which shows dpt_* only.
noinst_LTLIBRARIES += libdumpi.la
libdumpi_la_SOURCES = \
	traces/dumpitrace/datatypes.c \
	traces/dumpitrace/decode.c \
	traces/dumpitrace/dumpitrace.h \
	traces/dumpitrace/error.c traces/dumpitrace/error.h \
	traces/dumpitrace/functions.def \
	traces/dumpitrace/input.c traces/dumpitrace/input.h \
	traces/dumpitrace/layout.c traces/dumpitrace/layout.h \
	traces/dumpitrace/plain.c \
	traces/dumpitrace/pool.c traces/dumpitrace/pool.h \
	traces/dumpitrace/requests.c \
	traces/dumpitrace/sections.c \
	traces/dumpitrace/stream.c traces/dumpitrace/stream.h \
	traces/dumpitrace/text.c \
	traces/dumpitrace/trace.c traces/dumpitrace/trace.h \
	traces/dumpitrace/version.c \
	traces/dumpitrace/writer.c

lib_LTLIBRARIES += libdumpitrace.la
include_HEADERS = traces/dumpitrace/dumpitrace.h
libdumpitrace_la_SOURCES =
libdumpitrace_la_LDFLAGS = $(AM_LDFLAGS) -version-info $(DUMPITRACE_VERSION_INFO) -no-undefined $(DUMPITRACE_SYMBOLS)
libdumpitrace_la_LIBADD = libdumpi.la $(ZLIB_LIBS)
EXTRA_libdumpitrace_la_DEPENDENCIES = $(srcdir)/traces/dumpitrace/dumpitrace.map
EXTRA_DIST += traces/dumpitrace/dumpitrace.map

# With versions of symbols where the linker has them.
if SYMBOL_VERSIONS
DUMPITRACE_SYMBOLS = -Wl,--version-script=$(srcdir)/traces/dumpitrace/dumpitrace.map
else
DUMPITRACE_SYMBOLS = -export-symbols-regex '^dpt_'
endif
