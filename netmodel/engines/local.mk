# netmodel/engines/: the network as its callers see it, and what all engines share: notices, latencies, standstill.
libnetmodel_la_SOURCES += \
	netmodel/engines/chance.c \
	netmodel/engines/engine.h \
	netmodel/engines/kinds.def \
	netmodel/engines/latency.c \
	netmodel/engines/lines.c netmodel/engines/lines.h \
	netmodel/engines/link-share.c \
	netmodel/engines/multicast.c \
	netmodel/engines/network.c \
	netmodel/engines/notices.c \
	netmodel/engines/options.c \
	netmodel/engines/standstill.c netmodel/engines/standstill.h \
	netmodel/engines/waits.c netmodel/engines/waits.h
