# replay/compare/: many runs: plan, queue, store.
libreplay_la_SOURCES += \
	replay/compare/queue-internal.h \
	replay/compare/queue-world.c \
	replay/compare/queue.c replay/compare/queue.h

libreplay_la_SOURCES += \
	replay/compare/equal.c replay/compare/equal.h \
	replay/compare/experiment-file.h \
	replay/compare/kept.c replay/compare/kept.h \
	replay/compare/outlook.c replay/compare/outlook.h \
	replay/compare/plan.c replay/compare/plan.h \
	replay/compare/store.h

if WITH_SQLITE
libreplay_la_SOURCES += \
	replay/compare/store-format.c \
	replay/compare/store-internal.h \
	replay/compare/store-kept.c \
	replay/compare/store-query.c \
	replay/compare/store.c
else
libreplay_la_SOURCES += \
	replay/compare/store-none.c
endif

if WITH_YAML
libreplay_la_SOURCES += \
	replay/compare/experiment-file.c
else
libreplay_la_SOURCES += \
	replay/compare/experiment-none.c
endif
