# netmodel/deadlock/: the proof before a run that a routing cannot wait in a circle.
libnetmodel_la_SOURCES += \
	netmodel/deadlock/dependency-internal.h \
	netmodel/deadlock/dependency-alike.c \
	netmodel/deadlock/dependency-faults.c \
	netmodel/deadlock/dependency-walk.c \
	netmodel/deadlock/dependency.c netmodel/deadlock/dependency.h
