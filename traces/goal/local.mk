# traces/goal/: GOAL as a trace format.
libtraces_la_SOURCES += \
	traces/goal/block.c traces/goal/block.h \
	traces/goal/cursor.c \
	traces/goal/format.c \
	traces/goal/give.c \
	traces/goal/graph.c traces/goal/graph.h \
	traces/goal/labels.c traces/goal/labels.h \
	traces/goal/names.c \
	traces/goal/order.c \
	traces/goal/program.h \
	traces/goal/survey.c \
	traces/goal/text.c traces/goal/text.h
