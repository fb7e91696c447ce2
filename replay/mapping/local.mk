# replay/mapping/: placements weighed beside the identity.
libreplay_la_SOURCES += \
	replay/mapping/graph-file.c replay/mapping/graph-file.h \
	replay/mapping/mapping.c replay/mapping/mapping.h
