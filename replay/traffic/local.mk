# replay/traffic/: synthetic traffic, measured.
libreplay_la_SOURCES += \
	replay/traffic/histogram.c replay/traffic/histogram.h \
	replay/traffic/loads.c replay/traffic/loads.h \
	replay/traffic/outlook.c replay/traffic/outlook.h \
	replay/traffic/run.c \
	replay/traffic/steady.c replay/traffic/steady.h \
	replay/traffic/sweep.c replay/traffic/sweep.h \
	replay/traffic/traffic.c replay/traffic/traffic.h
