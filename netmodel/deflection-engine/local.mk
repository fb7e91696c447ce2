# netmodel/deflection-engine/: slots without buffers, in which packets are deflected.
libnetmodel_la_SOURCES += \
	netmodel/deflection-engine/choice.c \
	netmodel/deflection-engine/choice.h \
	netmodel/deflection-engine/cycle.c \
	netmodel/deflection-engine/engine.c \
	netmodel/deflection-engine/internal.h \
	netmodel/deflection-engine/routing.c
