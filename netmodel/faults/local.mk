# netmodel/faults/: links that fail, and how routers find out.
libnetmodel_la_SOURCES += \
	netmodel/faults/cables.c netmodel/faults/cables.h \
	netmodel/faults/control-internal.h \
	netmodel/faults/control.c netmodel/faults/control.h \
	netmodel/faults/data.c netmodel/faults/data.h \
	netmodel/faults/failing.c netmodel/faults/failing.h \
	netmodel/faults/fault-routing.c netmodel/faults/fault-routing.h \
	netmodel/faults/faults-internal.h \
	netmodel/faults/faults-reader.c \
	netmodel/faults/faults.c netmodel/faults/faults.h \
	netmodel/faults/immucube.c \
	netmodel/faults/immunet.c \
	netmodel/faults/kft.c \
	netmodel/faults/kinds.def \
	netmodel/faults/protocol.c \
	netmodel/faults/rings.c netmodel/faults/rings.h
