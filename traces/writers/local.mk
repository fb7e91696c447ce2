# traces/writers/: programs as files of every format.
libtraces_la_SOURCES += \
	traces/writers/base.c \
	traces/writers/dumpi-collectives.c \
	traces/writers/dumpi-communicators.c \
	traces/writers/dumpi-plan.c \
	traces/writers/dumpi.c traces/writers/dumpi.h \
	traces/writers/goal.c \
	traces/writers/internal.h \
	traces/writers/losses.def \
	traces/writers/otf2-calls.c \
	traces/writers/otf2-definitions.c \
	traces/writers/otf2-memory.c \
	traces/writers/otf2-metrics.c \
	traces/writers/otf2.c traces/writers/otf2.h \
	traces/writers/place.c \
	traces/writers/requests.c \
	traces/writers/writer.c traces/writers/writer.h \
	traces/writers/writers.def
