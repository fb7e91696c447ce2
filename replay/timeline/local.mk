# replay/timeline/: the execution of a run, for trace viewers.
libreplay_la_SOURCES += \
	replay/timeline/execution.c replay/timeline/execution.h \
	replay/timeline/internal.h \
	replay/timeline/lanes.c \
	replay/timeline/load.c \
	replay/timeline/paje.c \
	replay/timeline/walk.c
