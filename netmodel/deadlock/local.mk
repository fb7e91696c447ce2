# netmodel/deadlock/: The check for deadlock before a run.
libnetmodel_la_SOURCES += \
	netmodel/deadlock/dependency-internal.h \
	netmodel/deadlock/dependency-walk.c \
	netmodel/deadlock/dependency.c netmodel/deadlock/dependency.h
