# netmodel/shared-engine/: channels that several drive: the k-ary m-way networks.
libnetmodel_la_SOURCES += \
	netmodel/shared-engine/ask.h \
	netmodel/shared-engine/choice.h \
	netmodel/shared-engine/cycle-avx2.c \
	netmodel/shared-engine/cycle.c \
	netmodel/shared-engine/decide.h \
	netmodel/shared-engine/engine.c \
	netmodel/shared-engine/grant.h \
	netmodel/shared-engine/headers.h \
	netmodel/shared-engine/internal.h \
	netmodel/shared-engine/kernel.h \
	netmodel/shared-engine/masks.h \
	netmodel/shared-engine/multicast.c \
	netmodel/shared-engine/packets.c \
	netmodel/shared-engine/pick.h \
	netmodel/shared-engine/plan.c \
	netmodel/shared-engine/report.c \
	netmodel/shared-engine/shapes.def \
	netmodel/shared-engine/spread.c netmodel/shared-engine/spread.h \
	netmodel/shared-engine/standstill.c \
	netmodel/shared-engine/time.c
