# mappers/formats/: mapping files of other programs.
libmappers_la_SOURCES += \
	mappers/formats/coordinates.c \
	mappers/formats/cray.c \
	mappers/formats/file.c \
	mappers/formats/formats.def \
	mappers/formats/hostlist.c \
	mappers/formats/map-file.c mappers/formats/map-file.h \
	mappers/formats/openmpi.c \
	mappers/formats/text.c
