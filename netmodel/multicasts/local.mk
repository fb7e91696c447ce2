# netmodel/multicasts/: trees along which one message becomes many.
libnetmodel_la_SOURCES += \
	netmodel/multicasts/cover.c netmodel/multicasts/cover.h \
	netmodel/multicasts/king-tree.c netmodel/multicasts/king-tree.h \
	netmodel/multicasts/mway-tree.c netmodel/multicasts/mway-tree.h
