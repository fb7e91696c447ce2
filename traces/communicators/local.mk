# traces/communicators/: communicators across ranks, and what calls imply.
libtraces_la_SOURCES += \
	traces/communicators/communicators.c traces/communicators/communicators.h \
	traces/communicators/implied.c traces/communicators/implied.h \
	traces/communicators/internal.h \
	traces/communicators/kinds.c \
	traces/communicators/lists.c \
	traces/communicators/resolve.c
