# reports/run/: the answer of a run.
libreports_la_SOURCES += \
	reports/run/attribution.c reports/run/attribution.h \
	reports/run/busiest-interval.h \
	reports/run/channel-loads.c reports/run/channel-loads.h \
	reports/run/channels.c \
	reports/run/clocks.c reports/run/clocks.h \
	reports/run/coverage.c reports/run/coverage.h \
	reports/run/energy.c reports/run/energy.h \
	reports/run/failing.c reports/run/failing.h reports/run/failing.def \
	reports/run/fields.c reports/run/fields.h reports/run/fields.def \
	reports/run/heat-map.c \
	reports/run/json.c \
	reports/run/link-use.c reports/run/link-use.h \
	reports/run/machine.h \
	reports/run/path.c reports/run/path.h \
	reports/run/picture-attribution.c \
	reports/run/picture-kinds.def \
	reports/run/picture-latency.c \
	reports/run/picture-load.c \
	reports/run/picture-machine.c \
	reports/run/picture-matrix.c \
	reports/run/picture-ranks.c \
	reports/run/picture-slowdown.c \
	reports/run/picture-timeline.c \
	reports/run/picture.c reports/run/picture.h \
	reports/run/run.c reports/run/run.h \
	reports/run/text.c
