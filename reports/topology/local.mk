# reports/topology/: properties of a network, and what it looks like.
libreports_la_SOURCES += \
	reports/topology/deadlock.c reports/topology/deadlock.h \
	reports/topology/faults.c reports/topology/faults.h \
	reports/topology/fields.def \
	reports/topology/picture-bundles.c \
	reports/topology/picture-faults.c \
	reports/topology/link-classes.c reports/topology/link-classes.h \
	reports/topology/picture-one-way.c \
	reports/topology/picture-placed.c \
	reports/topology/picture-multistage.c \
	reports/topology/picture-mway.c \
	reports/topology/picture-parts.h \
	reports/topology/picture.c reports/topology/picture.h \
	reports/topology/properties.c reports/topology/properties.h \
	reports/topology/topology.c reports/topology/topology.h
