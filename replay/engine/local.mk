# replay/engine/: ranks that play their programs on a network.
libreplay_la_SOURCES += \
	replay/engine/background.c replay/engine/background.h \
	replay/engine/collective.c \
	replay/engine/diagnosis.c \
	replay/engine/engine.c \
	replay/engine/host.c \
	replay/engine/internal.h \
	replay/engine/intervals.c replay/engine/intervals.h \
	replay/engine/loggops.c \
	replay/engine/loop.c \
	replay/engine/matching.c \
	replay/engine/message.c \
	replay/engine/multicast.c \
	replay/engine/path.c \
	replay/engine/rank.c \
	replay/engine/recorder.c replay/engine/recorder.h \
	replay/engine/replay.h \
	replay/engine/waits.c
