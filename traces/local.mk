# The room traces/: one convenience library.
noinst_LTLIBRARIES += libtraces.la
libtraces_la_SOURCES = \
	traces/collectives.def \
	traces/draft.c traces/draft.h \
	traces/edge.h \
	traces/format.h \
	traces/hash.c traces/hash.h \
	traces/joined.c traces/joined.h \
	traces/kept-code.c traces/kept-code.h \
	traces/kept-pages.c traces/kept-pages.h \
	traces/kept-stream.c traces/kept-stream.h \
	traces/kept.c traces/kept.h \
	traces/kinds.def \
	traces/open.c \
	traces/processor-loss.c traces/processor-loss.h \
	traces/program-internal.h \
	traces/program.c traces/program.h \
	traces/queue.c traces/queue.h
libtraces_la_LIBADD = libdumpi.la $(ZLIB_LIBS)

include traces/collectives/local.mk
include traces/communicators/local.mk
include traces/doctor/local.mk
include traces/dumpi/local.mk
include traces/dumpitrace/local.mk
include traces/generate/local.mk
include traces/goal/local.mk
include traces/graph/local.mk
include traces/otf2/local.mk
include traces/otf2-archive/local.mk
include traces/windows/local.mk
include traces/writers/local.mk
