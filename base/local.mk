# The room base/: one convenience library.
noinst_LTLIBRARIES += libbase.la
libbase_la_SOURCES = \
	base/agenda.h \
	base/arena.c base/arena.h \
	base/arithmetic.h \
	base/build.c base/build.h \
	base/clear.h \
	base/digest.c base/digest.h \
	base/error.c base/error.h \
	base/grow.h \
	base/heap.c base/heap.h \
	base/input.c base/input.h \
	base/process-memory.c base/process-memory.h \
	base/names.c base/names.h \
	base/output.c base/output.h \
	base/random.c base/random.h \
	base/statistics.c base/statistics.h \
	base/table.c base/table.h \
	base/team.c base/team.h \
	base/text-stream.c base/text-stream.h \
	base/units.c base/units.h \
	base/wide.h \
	base/words.h
libbase_la_LIBADD = $(XXHASH_LIBS)

# The identity of the build (base/build.h). Asked for by every make, written when it has changed.
BUILT_SOURCES += base/build-sources.h
CLEANFILES += base/build-sources.h
EXTRA_DIST += base/hash-sources
base/build.lo: base/build-sources.h
base/build-sources.h: base/always
	@$(MKDIR_P) base && $(SHELL) '$(srcdir)/base/hash-sources' '$(srcdir)' $@
base/always:
