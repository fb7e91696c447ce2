# netmodel/traffic/: patterns, and who sends when.
libnetmodel_la_SOURCES += \
	netmodel/traffic/geometric.c netmodel/traffic/geometric.h \
	netmodel/traffic/pattern-bit-complement.c \
	netmodel/traffic/pattern-bit-reversal.c \
	netmodel/traffic/pattern-butterfly.c \
	netmodel/traffic/pattern-digit-reversal.c \
	netmodel/traffic/pattern-group-neighbour.c \
	netmodel/traffic/pattern-group-shift.c \
	netmodel/traffic/pattern-hotspot.c \
	netmodel/traffic/pattern-kinds.def \
	netmodel/traffic/pattern-leaf-transpose.c \
	netmodel/traffic/pattern-lru-stack.c \
	netmodel/traffic/pattern-neighbour.c \
	netmodel/traffic/pattern-permutation.c \
	netmodel/traffic/pattern-shuffle.c \
	netmodel/traffic/pattern-tornado.c \
	netmodel/traffic/pattern-transpose.c \
	netmodel/traffic/pattern-uniform.c \
	netmodel/traffic/pattern.c netmodel/traffic/pattern.h \
	netmodel/traffic/traffic.c netmodel/traffic/traffic.h
