# The room mappers/: one convenience library.
noinst_LTLIBRARIES += libmappers.la
libmappers_la_SOURCES = \
	mappers/anneal.c \
	mappers/anneal-search.c \
	mappers/anneal-smooth.c \
	mappers/bisection.c \
	mappers/block.c \
	mappers/budget.c mappers/budget.h \
	mappers/cartesian.c \
	mappers/channel-load.c mappers/channel-load.h \
	mappers/cost.c \
	mappers/cyclic.c \
	mappers/file.c \
	mappers/format-coordinates.c \
	mappers/format-cray.c \
	mappers/format-hostlist.c \
	mappers/format-openmpi.c \
	mappers/format-text.c \
	mappers/formats.def \
	mappers/greedy.c \
	mappers/grid.h \
	mappers/grid-fold.c \
	mappers/grid-guess.c \
	mappers/grid-recognise.c \
	mappers/hilbert.c \
	mappers/identity.c \
	mappers/kinds.def \
	mappers/map-file.c mappers/map-file.h \
	mappers/mapper.h \
	mappers/objective.c \
	mappers/order.c mappers/order.h \
	mappers/placement.c mappers/placement.h \
	mappers/portfolio.c mappers/portfolio-rounds.c mappers/portfolio.h \
	mappers/problem.c mappers/problem.h \
	mappers/problem-cost.c \
	mappers/random.c \
	mappers/replay.c \
	mappers/rotation.c \
	mappers/row.c \
	mappers/scotch.c \
	mappers/search.h \
	mappers/snake.c \
	mappers/tabu.c \
	mappers/tabu-search.c \
	mappers/tasks.c mappers/tasks.h \
	mappers/transpose.c
libmappers_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCOTCH_CFLAGS)
libmappers_la_LIBADD = $(SCOTCH_LIBS)

# Partitions: which terminals a job owns.
libmappers_la_SOURCES += \
	mappers/allocator-kinds.def \
	mappers/allocator-buddy.c \
	mappers/allocator-file.c \
	mappers/allocator-gen-alg.c \
	mappers/allocator-hilbert.c \
	mappers/allocator-mbs.c \
	mappers/allocator-mc.c \
	mappers/allocator-odd-square.c \
	mappers/allocator-random.c \
	mappers/allocator-rectangle.c \
	mappers/allocator-row.c \
	mappers/allocator-snake.c \
	mappers/allocator-square.c \
	mappers/partition.c mappers/partition-text.c mappers/partition.h \
	mappers/partition-blocks.c mappers/partition-blocks.h \
	mappers/partition-centre.c mappers/partition-centre.h \
	mappers/partition-curve.c mappers/partition-curve.h \
	mappers/partition-grid.c mappers/partition-grid.h \
	mappers/partition-metrics.c
