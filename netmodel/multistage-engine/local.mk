# netmodel/multistage-engine/: omega and GLO networks, bit by bit.
libnetmodel_la_SOURCES += \
	netmodel/multistage-engine/cycle.c \
	netmodel/multistage-engine/engine.c \
	netmodel/multistage-engine/internal.h \
	netmodel/multistage-engine/report.c
