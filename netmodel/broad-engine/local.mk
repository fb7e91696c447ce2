# netmodel/broad-engine/: packets that are granted as a whole, in routers of more inputs or outputs than a word has bits.
libnetmodel_la_SOURCES += \
	netmodel/broad-engine/cycle.c \
	netmodel/broad-engine/engine.c \
	netmodel/broad-engine/events.h \
	netmodel/broad-engine/internal.h \
	netmodel/broad-engine/report.c
