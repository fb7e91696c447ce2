# netmodel/mway/: k-ary m-way networks, kinds of grids of shared channels, and the routings that know them.
libnetmodel_la_SOURCES += \
	netmodel/mway/adaptive-ring.c \
	netmodel/mway/adaptive.c \
	netmodel/mway/dimension-order.c \
	netmodel/mway/hypercube.c \
	netmodel/mway/mesh.c \
	netmodel/mway/ring.c \
	netmodel/mway/routing.c netmodel/mway/routing.h \
	netmodel/mway/torus.c
