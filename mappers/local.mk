# The room mappers/: one convenience library.
noinst_LTLIBRARIES += libmappers.la
libmappers_la_SOURCES = \
	mappers/budget.c mappers/budget.h \
	mappers/channel-load.c mappers/channel-load.h \
	mappers/cost.c \
	mappers/kinds.def \
	mappers/mapper.h \
	mappers/objective.c \
	mappers/placement.c mappers/placement.h \
	mappers/problem-cost.c \
	mappers/problem.c mappers/problem.h \
	mappers/tasks.c mappers/tasks.h
libmappers_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCOTCH_CFLAGS)
libmappers_la_LIBADD = $(SCOTCH_LIBS)

include mappers/formats/local.mk
include mappers/grids/local.mk
include mappers/orders/local.mk
include mappers/partitions/local.mk
include mappers/searches/local.mk
