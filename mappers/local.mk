# The room mappers/: one convenience library.
noinst_LTLIBRARIES += libmappers.la
libmappers_la_SOURCES = \
	mappers/searches/anneal.c \
	mappers/searches/anneal-search.c \
	mappers/searches/anneal-smooth.c \
	mappers/searches/bisection.c \
	mappers/orders/block.c \
	mappers/budget.c mappers/budget.h \
	mappers/grids/cartesian.c \
	mappers/channel-load.c mappers/channel-load.h \
	mappers/cost.c \
	mappers/orders/cyclic.c \
	mappers/formats/file.c \
	mappers/formats/coordinates.c \
	mappers/formats/cray.c \
	mappers/formats/hostlist.c \
	mappers/formats/openmpi.c \
	mappers/formats/text.c \
	mappers/formats/formats.def \
	mappers/searches/greedy.c \
	mappers/grids/grid.h \
	mappers/grids/fold.c \
	mappers/grids/guess.c \
	mappers/grids/recognise.c \
	mappers/orders/hilbert.c \
	mappers/orders/identity.c \
	mappers/kinds.def \
	mappers/formats/map-file.c mappers/formats/map-file.h \
	mappers/mapper.h \
	mappers/objective.c \
	mappers/orders/order.c mappers/orders/order.h \
	mappers/placement.c mappers/placement.h \
	mappers/searches/portfolio.c mappers/searches/portfolio-rounds.c mappers/searches/portfolio.h \
	mappers/problem.c mappers/problem.h \
	mappers/problem-cost.c \
	mappers/orders/random.c \
	mappers/searches/replay.c \
	mappers/orders/rotation.c \
	mappers/orders/row.c \
	mappers/searches/scotch.c \
	mappers/searches/search.h \
	mappers/orders/snake.c \
	mappers/searches/tabu.c \
	mappers/searches/tabu-search.c \
	mappers/tasks.c mappers/tasks.h \
	mappers/orders/transpose.c
libmappers_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCOTCH_CFLAGS)
libmappers_la_LIBADD = $(SCOTCH_LIBS)

# Partitions: which terminals a job owns.
libmappers_la_SOURCES += \
	mappers/partitions/allocator-kinds.def \
	mappers/partitions/allocator-buddy.c \
	mappers/partitions/allocator-file.c \
	mappers/partitions/allocator-gen-alg.c \
	mappers/partitions/allocator-hilbert.c \
	mappers/partitions/allocator-mbs.c \
	mappers/partitions/allocator-mc.c \
	mappers/partitions/allocator-odd-square.c \
	mappers/partitions/allocator-random.c \
	mappers/partitions/allocator-rectangle.c \
	mappers/partitions/allocator-row.c \
	mappers/partitions/allocator-snake.c \
	mappers/partitions/allocator-square.c \
	mappers/partitions/partition.c mappers/partitions/text.c mappers/partitions/partition.h \
	mappers/partitions/blocks.c mappers/partitions/blocks.h \
	mappers/partitions/centre.c mappers/partitions/centre.h \
	mappers/partitions/curve.c mappers/partitions/curve.h \
	mappers/partitions/grid.c mappers/partitions/grid.h \
	mappers/partitions/metrics.c
