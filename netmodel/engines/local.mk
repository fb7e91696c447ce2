# netmodel/engines/: the network as its callers see it, the list of engines, and what these share.
libnetmodel_la_SOURCES += \
	netmodel/engines/arbiters.h \
	netmodel/engines/bits.h \
	netmodel/engines/chance.c \
	netmodel/engines/counters.c \
	netmodel/engines/crossings.c \
	netmodel/engines/delivery.h \
	netmodel/engines/engine.h \
	netmodel/engines/flights.c netmodel/engines/flights.h \
	netmodel/engines/kinds.def \
	netmodel/engines/latency.c \
	netmodel/engines/limits.c netmodel/engines/limits.h \
	netmodel/engines/lines.c netmodel/engines/lines.h \
	netmodel/engines/link-share.c \
	netmodel/engines/multicast.c \
	netmodel/engines/network.c \
	netmodel/engines/notices.c \
	netmodel/engines/options.c \
	netmodel/engines/owners.c netmodel/engines/owners.h \
	netmodel/engines/pool.c netmodel/engines/pool.h \
	netmodel/engines/standstill.c netmodel/engines/standstill.h \
	netmodel/engines/waits.c netmodel/engines/waits.h
