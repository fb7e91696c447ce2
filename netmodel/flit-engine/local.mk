# netmodel/flit-engine/: flits that are granted one by one: wormhole.
libnetmodel_la_SOURCES += \
	netmodel/flit-engine/cycle.c \
	netmodel/flit-engine/engine.c \
	netmodel/flit-engine/faults.c netmodel/flit-engine/faults.h \
	netmodel/flit-engine/fetch.h \
	netmodel/flit-engine/heads.h \
	netmodel/flit-engine/internal.h \
	netmodel/flit-engine/lanes.c netmodel/flit-engine/lanes.h \
	netmodel/flit-engine/moves.h \
	netmodel/flit-engine/report.c \
	netmodel/flit-engine/sets.h \
	netmodel/flit-engine/wide.c
