# netmodel/machines/: the networks of machines as graphs, and the routings that know one of them.
libnetmodel_la_SOURCES += \
	netmodel/machines/d-mod-k.c \
	netmodel/machines/dal.c \
	netmodel/machines/detours.c netmodel/machines/detours.h \
	netmodel/machines/dragonfly.c netmodel/machines/dragonfly.h \
	netmodel/machines/fat-tree.c netmodel/machines/fat-tree.h \
	netmodel/machines/full-mesh.c \
	netmodel/machines/hyperx.c netmodel/machines/hyperx.h \
	netmodel/machines/minimal-adaptive.c \
	netmodel/machines/minimal-dragonfly.c \
	netmodel/machines/minimal-hyperx.c \
	netmodel/machines/s-mod-k.c \
	netmodel/machines/slim-fly.c netmodel/machines/slim-fly.h \
	netmodel/machines/tree-ways.c netmodel/machines/tree-ways.h \
	netmodel/machines/ugal.c \
	netmodel/machines/up-adaptive.c \
	netmodel/machines/up-random.c \
	netmodel/machines/valiant-detours.c \
	netmodel/machines/valiant-group.c \
	netmodel/machines/xgft.c
