# The tests: one fragment a room. Programs go to check_PROGRAMS and TESTS.
include tests/base/local.mk
include tests/netmodel/local.mk
include tests/traces/local.mk
include tests/mappers/local.mk
include tests/reports/local.mk
include tests/replay/local.mk
include tests/cli/local.mk
include tests/bench/local.mk
