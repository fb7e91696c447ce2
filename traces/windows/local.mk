# traces/windows/: parts of a program, as programs.
libtraces_la_SOURCES += \
	traces/windows/crossing.c \
	traces/windows/groups.h \
	traces/windows/internal.h \
	traces/windows/iterations.c traces/windows/iterations.h \
	traces/windows/marks.c \
	traces/windows/repeats.c traces/windows/repeats.h \
	traces/windows/view.c \
	traces/windows/window.c traces/windows/window.h
