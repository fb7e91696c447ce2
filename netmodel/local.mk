# The room netmodel/: one convenience library.
noinst_LTLIBRARIES += libnetmodel.la
libnetmodel_la_SOURCES =
libnetmodel_la_SOURCES += netmodel/network.h netmodel/network.c netmodel/chance.c netmodel/link-share.c netmodel/network-internal.h netmodel/notices.c netmodel/latency.c \
	netmodel/ideal.c netmodel/effects.c netmodel/calendar.h netmodel/calendar.c netmodel/engine-internal.h netmodel/engine.c netmodel/engine-cycle.c netmodel/engine-report.c \
	netmodel/choices.h netmodel/choices.c netmodel/flit-engine-internal.h netmodel/flit-engine.c netmodel/flit-engine-cycle.c netmodel/flit-engine-report.c
libnetmodel_la_SOURCES += netmodel/engine-kernel.c netmodel/kernel-room.h netmodel/kernel-mail.h \
	netmodel/kernel-events.h netmodel/kernel-starts.h netmodel/kernel-headers.h netmodel/engine-shapes.def netmodel/engine-ways.h \
	netmodel/engine-ways.c netmodel/engine-packets.c netmodel/engine-arbiters.c netmodel/engine-threads.c \
	netmodel/engine-parts.c netmodel/engine-borders.c netmodel/engine-balance.c
libnetmodel_la_SOURCES += netmodel/channels.h netmodel/channels.c netmodel/topology.h netmodel/topology.c netmodel/topology-kinds.def \
	netmodel/specification.h netmodel/specification.c netmodel/grid.h netmodel/grid.c \
	netmodel/topology-mesh.c netmodel/topology-torus.c netmodel/topology-king-mesh.c \
	netmodel/topology-king-torus.c netmodel/topology-ideal.c netmodel/grid-diagonal.c \
	netmodel/topology-diagonal-mesh.c netmodel/topology-diagonal-torus.c netmodel/routing-diagonal-order.c \
	netmodel/routing.h netmodel/routing.c netmodel/routing-load.c netmodel/routing-kinds.def \
	netmodel/routing-dateline.c netmodel/routing-dimension-order.c netmodel/routing-knaive.c netmodel/metrics.c \
	netmodel/paths.c netmodel/squares.c \
	netmodel/bisection.h netmodel/bisection.c
# Networks of shared channels.
libnetmodel_la_SOURCES += netmodel/shared.h netmodel/shared.c netmodel/transfers.c netmodel/topology-mway-mesh.c \
	netmodel/topology-mway-torus.c netmodel/topology-mway-hypercube.c netmodel/routing-mway.h \
	netmodel/routing-mway.c netmodel/routing-mway-dimension-order.c netmodel/routing-mway-ring.c \
	netmodel/routing-mway-adaptive.c netmodel/routing-mway-adaptive-ring.c
# Synthetic traffic: patterns, and who sends when.
libnetmodel_la_SOURCES += netmodel/traffic.h netmodel/traffic.c netmodel/geometric.h netmodel/geometric.c \
	netmodel/pattern.h netmodel/pattern.c netmodel/pattern-kinds.def netmodel/pattern-uniform.c \
	netmodel/pattern-transpose.c netmodel/pattern-tornado.c netmodel/pattern-bit-complement.c \
	netmodel/pattern-bit-reversal.c netmodel/pattern-shuffle.c netmodel/pattern-butterfly.c \
	netmodel/pattern-neighbour.c netmodel/pattern-hotspot.c netmodel/pattern-permutation.c \
	netmodel/pattern-lru-stack.c
libnetmodel_la_SOURCES += netmodel/standstill.h netmodel/standstill.c netmodel/dependency.h netmodel/dependency.c netmodel/dependency-internal.h \
	netmodel/dependency-walk.c netmodel/waits.c netmodel/waits.h
libnetmodel_la_SOURCES += netmodel/record.h netmodel/record.c netmodel/king-hops.h netmodel/king-hops.c \
	netmodel/routing-adaptive-bubble.c netmodel/routing-eknaive.c netmodel/routing-hop-by-hop.c \
	netmodel/routing-hop-by-hop-2s.c
libnetmodel_la_SOURCES += netmodel/two-phase.h netmodel/two-phase.c netmodel/routing-valiant.c \
	netmodel/routing-romm.c netmodel/routing-o1turn.c
libnetmodel_la_SOURCES += netmodel/king-table.h netmodel/king-table.c netmodel/routing-king-misrouting.c
libnetmodel_la_SOURCES += netmodel/confinement.h netmodel/confinement.c
libnetmodel_la_SOURCES += netmodel/king-tree.h netmodel/king-tree.c netmodel/engine-copies.c \
	netmodel/cover.h netmodel/cover.c
libnetmodel_la_SOURCES += netmodel/graph.h netmodel/graph-reader.h netmodel/graph-reader.c netmodel/graph-ports.c \
	netmodel/topology-graph.c netmodel/routing-up-down.c netmodel/routing-table.c
libnetmodel_la_SOURCES += netmodel/shared-internal.h netmodel/shared-engine.c netmodel/shared-shapes.def \
	netmodel/shared-masks.h netmodel/shared-choice.h netmodel/shared-ask.h netmodel/shared-grant.h \
	netmodel/shared-headers.h netmodel/shared-pick.h netmodel/shared-decide.h netmodel/shared-kernel.h \
	netmodel/shared-cycle.c netmodel/shared-cycle-avx2.c netmodel/shared-time.c \
	netmodel/shared-packets.c netmodel/shared-multicast.c netmodel/shared-spread.h netmodel/shared-spread.c \
	netmodel/shared-report.c netmodel/lines.h netmodel/lines.c \
	netmodel/shared-tree.h netmodel/shared-tree.c netmodel/shared-plan.c netmodel/shared-standstill.c
