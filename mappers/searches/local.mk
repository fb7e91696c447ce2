# mappers/searches/: mappings that are searched for.
libmappers_la_SOURCES += \
	mappers/searches/anneal-search.c \
	mappers/searches/anneal-smooth.c \
	mappers/searches/anneal.c \
	mappers/searches/bisection.c \
	mappers/searches/greedy.c \
	mappers/searches/isolated.c mappers/searches/isolated.h \
	mappers/searches/portfolio-rounds.c \
	mappers/searches/portfolio.c mappers/searches/portfolio.h \
	mappers/searches/replay.c \
	mappers/searches/scotch.c \
	mappers/searches/search.h \
	mappers/searches/tabu-search.c \
	mappers/searches/tabu.c \
	mappers/searches/trials.c mappers/searches/trials.h
