# netmodel/simple-engines/: Networks without movement: the ideal one, and one effect at a time.
libnetmodel_la_SOURCES += \
	netmodel/simple-engines/calendar.c netmodel/simple-engines/calendar.h \
	netmodel/simple-engines/effects.c \
	netmodel/simple-engines/ideal.c
