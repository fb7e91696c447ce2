# netmodel/stages/: omega and GLO networks as graphs, how long their links take, and their one routing.
libnetmodel_la_SOURCES += \
	netmodel/stages/bits.h \
	netmodel/stages/destination-tag.c \
	netmodel/stages/glo.c \
	netmodel/stages/multistage.c netmodel/stages/multistage.h \
	netmodel/stages/omega.c
