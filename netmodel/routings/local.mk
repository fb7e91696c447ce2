# netmodel/routings/: where a packet may go: a file a kind; headers, tables, confinement.
libnetmodel_la_SOURCES += \
	netmodel/routings/adaptive-bubble.c \
	netmodel/routings/confinement.c netmodel/routings/confinement.h \
	netmodel/routings/crossing.c netmodel/routings/crossing.h \
	netmodel/routings/dateline.c \
	netmodel/routings/diagonal-order.c \
	netmodel/routings/dimension-order.c \
	netmodel/routings/eknaive.c \
	netmodel/routings/families.c netmodel/routings/families.h \
	netmodel/routings/hop-by-hop-2s.c \
	netmodel/routings/hop-by-hop.c \
	netmodel/routings/kinds.def \
	netmodel/routings/king-hops.c netmodel/routings/king-hops.h \
	netmodel/routings/king-misrouting.c \
	netmodel/routings/king-table.c netmodel/routings/king-table.h \
	netmodel/routings/knaive.c \
	netmodel/routings/load.c \
	netmodel/routings/minimal.c \
	netmodel/routings/o1turn.c \
	netmodel/routings/plain.c netmodel/routings/plain.h \
	netmodel/routings/port-table.h \
	netmodel/routings/record.c netmodel/routings/record.h \
	netmodel/routings/ring-shortest.c \
	netmodel/routings/romm.c \
	netmodel/routings/routing.c \
	netmodel/routings/table.c \
	netmodel/routings/two-phase.c netmodel/routings/two-phase.h \
	netmodel/routings/up-down.c \
	netmodel/routings/valiant.c
