# replay/session/: a run, in its stages, from options to a report.
libreplay_la_SOURCES += \
	replay/session/attribution.c \
	replay/session/chance.c \
	replay/session/clocks.c replay/session/clocks.h \
	replay/session/costs.c replay/session/costs.h \
	replay/session/estimate.c replay/session/estimate.h \
	replay/session/fit.c \
	replay/session/info.c \
	replay/session/inputs.c replay/session/inputs.h \
	replay/session/internal.h \
	replay/session/jobs.c \
	replay/session/kinds.c replay/session/kinds.h \
	replay/session/laps.c replay/session/laps.h \
	replay/session/meter.c replay/session/meter.h \
	replay/session/part.c replay/session/part.h \
	replay/session/partition.c replay/session/partition.h \
	replay/session/path.c \
	replay/session/record.c replay/session/record.h \
	replay/session/recording.c replay/session/recording.h \
	replay/session/report.c \
	replay/session/routing.c \
	replay/session/session.c replay/session/session.h \
	replay/session/setup.c replay/session/setup.h \
	replay/session/stages.c replay/session/stages.h \
	replay/session/together.c \
	replay/session/watch.h \
	replay/session/what-if.c
