# mappers/grids/: programs whose communication is a grid.
libmappers_la_SOURCES += \
	mappers/grids/cartesian.c \
	mappers/grids/fold.c \
	mappers/grids/grid.h \
	mappers/grids/guess.c \
	mappers/grids/recognise.c
