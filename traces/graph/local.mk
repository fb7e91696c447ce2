# traces/graph/: who sends how much to whom.
libtraces_la_SOURCES += \
	traces/graph/expansion.c traces/graph/expansion.h \
	traces/graph/graph.c traces/graph/graph.h \
	traces/graph/walk.c traces/graph/walk.h
