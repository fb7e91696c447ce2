# Tests of netmodel/.
GRID_TEST_CASES = tests/netmodel/cases.c tests/netmodel/cases.h
GRID_TEST_LIBS = libnetmodel.la libbase.la $(XXHASH_LIBS) $(CMOCKA_LIBS) -lm

include tests/netmodel/costs/local.mk
include tests/netmodel/deadlock/local.mk
include tests/netmodel/deflection-engine/local.mk
include tests/netmodel/engines/local.mk
include tests/netmodel/faults/local.mk
include tests/netmodel/machines/local.mk
include tests/netmodel/multicasts/local.mk
include tests/netmodel/multistage-engine/local.mk
include tests/netmodel/mway/local.mk
include tests/netmodel/routings/local.mk
include tests/netmodel/shared-engine/local.mk
include tests/netmodel/simple-engines/local.mk
include tests/netmodel/stages/local.mk
include tests/netmodel/topologies/local.mk
include tests/netmodel/traffic/local.mk
