# The room netmodel/: one convenience library.
noinst_LTLIBRARIES += libnetmodel.la
libnetmodel_la_SOURCES =
libnetmodel_la_SOURCES += netmodel/network.h netmodel/engines/network.c netmodel/engines/chance.c netmodel/engines/link-share.c netmodel/engines/engine.h netmodel/engines/notices.c netmodel/engines/latency.c \
	netmodel/simple-engines/ideal.c netmodel/simple-engines/effects.c netmodel/simple-engines/calendar.h netmodel/simple-engines/calendar.c netmodel/packet-engine/internal.h netmodel/packet-engine/engine.c netmodel/packet-engine/cycle.c netmodel/packet-engine/report.c \
	netmodel/choices.h netmodel/choices.c netmodel/flit-engine/internal.h netmodel/flit-engine/engine.c netmodel/flit-engine/cycle.c netmodel/flit-engine/report.c
libnetmodel_la_SOURCES += netmodel/packet-engine/kernel.c netmodel/packet-engine/kernel-room.h netmodel/packet-engine/kernel-mail.h \
	netmodel/packet-engine/kernel-events.h netmodel/packet-engine/kernel-starts.h netmodel/packet-engine/kernel-headers.h netmodel/packet-engine/shapes.def netmodel/packet-engine/ways.h \
	netmodel/packet-engine/ways.c netmodel/packet-engine/packets.c netmodel/packet-engine/arbiters.c netmodel/packet-engine/threads.c \
	netmodel/packet-engine/parts.c netmodel/packet-engine/borders.c netmodel/packet-engine/balance.c
libnetmodel_la_SOURCES += netmodel/topologies/channels.h netmodel/topologies/channels.c netmodel/topology.h netmodel/topologies/topology.c netmodel/topologies/kinds.def \
	netmodel/specification.h netmodel/specification.c netmodel/topologies/grid.h netmodel/topologies/grid.c \
	netmodel/topologies/mesh.c netmodel/topologies/torus.c netmodel/topologies/king-mesh.c \
	netmodel/topologies/king-torus.c netmodel/topologies/ideal.c netmodel/topologies/grid-diagonal.c \
	netmodel/topologies/diagonal-mesh.c netmodel/topologies/diagonal-torus.c netmodel/routings/diagonal-order.c \
	netmodel/routing.h netmodel/routings/routing.c netmodel/routings/load.c netmodel/routings/kinds.def \
	netmodel/routings/dateline.c netmodel/routings/dimension-order.c netmodel/routings/knaive.c netmodel/topologies/metrics.c \
	netmodel/topologies/paths.c netmodel/topologies/squares.c \
	netmodel/topologies/bisection.h netmodel/topologies/bisection.c
# Networks of shared channels.
libnetmodel_la_SOURCES += netmodel/topologies/mway.h netmodel/topologies/mway.c netmodel/topologies/mway-transfers.c netmodel/topologies/mway-mesh.c \
	netmodel/topologies/mway-torus.c netmodel/topologies/mway-hypercube.c netmodel/routings/mway.h \
	netmodel/routings/mway.c netmodel/routings/mway-dimension-order.c netmodel/routings/mway-ring.c \
	netmodel/routings/mway-adaptive.c netmodel/routings/mway-adaptive-ring.c
# Synthetic traffic: patterns, and who sends when.
libnetmodel_la_SOURCES += netmodel/traffic/traffic.h netmodel/traffic/traffic.c netmodel/traffic/geometric.h netmodel/traffic/geometric.c \
	netmodel/traffic/pattern.h netmodel/traffic/pattern.c netmodel/traffic/pattern-kinds.def netmodel/traffic/pattern-uniform.c \
	netmodel/traffic/pattern-transpose.c netmodel/traffic/pattern-tornado.c netmodel/traffic/pattern-bit-complement.c \
	netmodel/traffic/pattern-bit-reversal.c netmodel/traffic/pattern-shuffle.c netmodel/traffic/pattern-butterfly.c \
	netmodel/traffic/pattern-neighbour.c netmodel/traffic/pattern-hotspot.c netmodel/traffic/pattern-permutation.c \
	netmodel/traffic/pattern-lru-stack.c
libnetmodel_la_SOURCES += netmodel/engines/standstill.h netmodel/engines/standstill.c netmodel/deadlock/dependency.h netmodel/deadlock/dependency.c netmodel/deadlock/dependency-internal.h \
	netmodel/deadlock/dependency-walk.c netmodel/engines/waits.c netmodel/engines/waits.h
libnetmodel_la_SOURCES += netmodel/routings/record.h netmodel/routings/record.c netmodel/routings/king-hops.h netmodel/routings/king-hops.c \
	netmodel/routings/adaptive-bubble.c netmodel/routings/eknaive.c netmodel/routings/hop-by-hop.c \
	netmodel/routings/hop-by-hop-2s.c
libnetmodel_la_SOURCES += netmodel/routings/two-phase.h netmodel/routings/two-phase.c netmodel/routings/valiant.c \
	netmodel/routings/romm.c netmodel/routings/o1turn.c
libnetmodel_la_SOURCES += netmodel/routings/king-table.h netmodel/routings/king-table.c netmodel/routings/king-misrouting.c
libnetmodel_la_SOURCES += netmodel/routings/confinement.h netmodel/routings/confinement.c
libnetmodel_la_SOURCES += netmodel/multicasts/king-tree.h netmodel/multicasts/king-tree.c netmodel/packet-engine/copies.c \
	netmodel/multicasts/cover.h netmodel/multicasts/cover.c
libnetmodel_la_SOURCES += netmodel/topologies/graph.h netmodel/topologies/graph-reader.h netmodel/topologies/graph-reader.c netmodel/topologies/graph-ports.c \
	netmodel/topologies/graph.c netmodel/routings/up-down.c netmodel/routings/table.c
libnetmodel_la_SOURCES += netmodel/shared-engine/internal.h netmodel/shared-engine/engine.c netmodel/shared-engine/shapes.def \
	netmodel/shared-engine/masks.h netmodel/shared-engine/choice.h netmodel/shared-engine/ask.h netmodel/shared-engine/grant.h \
	netmodel/shared-engine/headers.h netmodel/shared-engine/pick.h netmodel/shared-engine/decide.h netmodel/shared-engine/kernel.h \
	netmodel/shared-engine/cycle.c netmodel/shared-engine/cycle-avx2.c netmodel/shared-engine/time.c \
	netmodel/shared-engine/packets.c netmodel/shared-engine/multicast.c netmodel/shared-engine/spread.h netmodel/shared-engine/spread.c \
	netmodel/shared-engine/report.c netmodel/engines/lines.h netmodel/engines/lines.c \
	netmodel/multicasts/mway-tree.h netmodel/multicasts/mway-tree.c netmodel/shared-engine/plan.c netmodel/shared-engine/standstill.c
