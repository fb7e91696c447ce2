# mappers/orders/: mappings that are an order of the terminals.
libmappers_la_SOURCES += \
	mappers/orders/block.c \
	mappers/orders/cyclic.c \
	mappers/orders/hilbert.c \
	mappers/orders/identity.c \
	mappers/orders/order.c mappers/orders/order.h \
	mappers/orders/random.c \
	mappers/orders/rotation.c \
	mappers/orders/row.c \
	mappers/orders/snake.c \
	mappers/orders/transpose.c
