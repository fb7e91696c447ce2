# reports/placement/: where ranks and jobs are.
libreports_la_SOURCES += \
	reports/placement/cost.def \
	reports/placement/partition.c reports/placement/partition.h \
	reports/placement/picture.c reports/placement/picture.h \
	reports/placement/placement.c reports/placement/placement.h
