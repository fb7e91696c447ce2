# netmodel/packet-engine/: packets that are granted as a whole: one event a packet and hop; threads.
libnetmodel_la_SOURCES += \
	netmodel/packet-engine/arbiters.c \
	netmodel/packet-engine/balance.c \
	netmodel/packet-engine/borders.c \
	netmodel/packet-engine/copies.c \
	netmodel/packet-engine/cycle.c \
	netmodel/packet-engine/engine.c \
	netmodel/packet-engine/faults.c netmodel/packet-engine/faults.h \
	netmodel/packet-engine/internal.h \
	netmodel/packet-engine/kernel-choice.h \
	netmodel/packet-engine/kernel-events.h \
	netmodel/packet-engine/kernel-failing.h \
	netmodel/packet-engine/kernel-headers.h \
	netmodel/packet-engine/kernel-mail.h \
	netmodel/packet-engine/kernel-room.h \
	netmodel/packet-engine/kernel-starts.h \
	netmodel/packet-engine/kernel.c \
	netmodel/packet-engine/packets.c \
	netmodel/packet-engine/parts.c \
	netmodel/packet-engine/report.c \
	netmodel/packet-engine/shapes.def \
	netmodel/packet-engine/threads.c \
	netmodel/packet-engine/ways.c netmodel/packet-engine/ways.h
