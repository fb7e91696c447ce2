# The room netmodel/: one convenience library.
noinst_LTLIBRARIES += libnetmodel.la
libnetmodel_la_SOURCES = \
	netmodel/choices.c netmodel/choices.h \
	netmodel/network.h \
	netmodel/routing.h \
	netmodel/specification.c netmodel/specification.h \
	netmodel/topology.h

include netmodel/broad-engine/local.mk
include netmodel/costs/local.mk
include netmodel/deadlock/local.mk
include netmodel/deflection-engine/local.mk
include netmodel/engines/local.mk
include netmodel/faults/local.mk
include netmodel/flit-engine/local.mk
include netmodel/machines/local.mk
include netmodel/multicasts/local.mk
include netmodel/multistage-engine/local.mk
include netmodel/mway/local.mk
include netmodel/packet-engine/local.mk
include netmodel/routings/local.mk
include netmodel/shared-engine/local.mk
include netmodel/simple-engines/local.mk
include netmodel/stages/local.mk
include netmodel/topologies/local.mk
include netmodel/traffic/local.mk
