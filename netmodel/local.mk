# The room netmodel/: one convenience library.
noinst_LTLIBRARIES += libnetmodel.la
libnetmodel_la_SOURCES =
libnetmodel_la_SOURCES += netmodel/network.h netmodel/network.c netmodel/network-internal.h netmodel/latency.c \
	netmodel/ideal.c netmodel/engine-internal.h netmodel/engine.c netmodel/engine-cycle.c netmodel/engine-report.c
