# The room mappers/: one convenience library.
noinst_LTLIBRARIES += libmappers.la
libmappers_la_SOURCES = \
	mappers/cost.c \
	mappers/file.c \
	mappers/identity.c \
	mappers/kinds.def \
	mappers/placement.c mappers/placement.h \
	mappers/placement-text.c \
	mappers/random.c
