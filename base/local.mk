# The room base/: one convenience library.
noinst_LTLIBRARIES += libbase.la
libbase_la_SOURCES = \
	base/arena.c base/arena.h \
	base/digest.c base/digest.h \
	base/error.c base/error.h \
	base/heap.c base/heap.h \
	base/names.c base/names.h \
	base/output.c base/output.h \
	base/random.c base/random.h \
	base/statistics.c base/statistics.h \
	base/table.c base/table.h \
	base/team.c base/team.h \
	base/units.c base/units.h
libbase_la_LIBADD = $(XXHASH_LIBS)
