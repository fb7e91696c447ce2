# traces/otf2-archive/: what lies in the files of an OTF2 archive.
libtraces_la_SOURCES += \
	traces/otf2-archive/anchor.c traces/otf2-archive/anchor.h \
	traces/otf2-archive/archive.c traces/otf2-archive/archive.h \
	traces/otf2-archive/calls.c traces/otf2-archive/calls.h traces/otf2-archive/calls.def \
	traces/otf2-archive/chunks.c traces/otf2-archive/chunks.h \
	traces/otf2-archive/collect.c traces/otf2-archive/collect.h \
	traces/otf2-archive/definitions.c traces/otf2-archive/definitions.h \
	traces/otf2-archive/errors.c traces/otf2-archive/errors.h \
	traces/otf2-archive/events.c traces/otf2-archive/events.h traces/otf2-archive/events.def \
	traces/otf2-archive/identifiers.c traces/otf2-archive/identifiers.h \
	traces/otf2-archive/plain.c traces/otf2-archive/plain.h
