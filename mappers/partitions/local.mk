# mappers/partitions/: which terminals a job owns: a file an allocator.
libmappers_la_SOURCES += \
	mappers/partitions/allocator-buddy.c \
	mappers/partitions/allocator-file.c \
	mappers/partitions/allocator-gen-alg.c \
	mappers/partitions/allocator-groups.c \
	mappers/partitions/allocator-hilbert.c \
	mappers/partitions/allocator-kinds.def \
	mappers/partitions/allocator-mbs.c \
	mappers/partitions/allocator-mc.c \
	mappers/partitions/allocator-odd-square.c \
	mappers/partitions/allocator-random.c \
	mappers/partitions/allocator-rectangle.c \
	mappers/partitions/allocator-row.c \
	mappers/partitions/allocator-snake.c \
	mappers/partitions/allocator-square.c \
	mappers/partitions/blocks.c mappers/partitions/blocks.h \
	mappers/partitions/centre.c mappers/partitions/centre.h \
	mappers/partitions/curve.c mappers/partitions/curve.h \
	mappers/partitions/grid.c mappers/partitions/grid.h \
	mappers/partitions/metrics.c \
	mappers/partitions/partition.c mappers/partitions/partition.h \
	mappers/partitions/text.c
