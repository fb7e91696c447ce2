# netmodel/topologies/: routers and links: a file a kind; coordinates, distances, bisections, names of channels.
libnetmodel_la_SOURCES += \
	netmodel/topologies/bisection.c netmodel/topologies/bisection.h \
	netmodel/topologies/capacity.c \
	netmodel/topologies/channels.c netmodel/topologies/channels.h \
	netmodel/topologies/darm.c \
	netmodel/topologies/diagonal-mesh.c \
	netmodel/topologies/diagonal-torus.c \
	netmodel/topologies/graph-ports.c \
	netmodel/topologies/graph-reader.c netmodel/topologies/graph-reader.h \
	netmodel/topologies/graph.c netmodel/topologies/graph.h \
	netmodel/topologies/grid-diagonal.c \
	netmodel/topologies/grid-widths.c \
	netmodel/topologies/grid.c netmodel/topologies/grid.h \
	netmodel/topologies/ideal.c netmodel/topologies/ideal.h \
	netmodel/topologies/kinds.def \
	netmodel/topologies/king-mesh.c \
	netmodel/topologies/king-torus.c \
	netmodel/topologies/latencies.c \
	netmodel/topologies/manhattan.c \
	netmodel/topologies/mesh.c \
	netmodel/topologies/metrics.c \
	netmodel/topologies/mway-transfers.c \
	netmodel/topologies/mway.c netmodel/topologies/mway.h \
	netmodel/topologies/one-way.c netmodel/topologies/one-way.h \
	netmodel/topologies/paths.c \
	netmodel/topologies/ring.c \
	netmodel/topologies/shufflenet.c \
	netmodel/topologies/squares.c \
	netmodel/topologies/topology.c \
	netmodel/topologies/torus.c \
	netmodel/topologies/wires.c netmodel/topologies/wires.h
