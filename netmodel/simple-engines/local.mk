# netmodel/simple-engines/: networks without movement: the ideal one, and one with a single effect more.
libnetmodel_la_SOURCES += \
	netmodel/simple-engines/calendar.c netmodel/simple-engines/calendar.h \
	netmodel/simple-engines/effects.c netmodel/simple-engines/effects.h \
	netmodel/simple-engines/ideal.c
