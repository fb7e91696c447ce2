# The tests: one fragment a room. Programs go to check_PROGRAMS and TESTS. The longest single test begins first: as the last
# one it would leave all processors but one idle.
TESTS += tests/replay/engine/test-replay-traces
include tests/base/local.mk
include tests/netmodel/local.mk
include tests/traces/local.mk
include tests/fuzz/local.mk
include tests/mappers/local.mk
include tests/reports/local.mk
include tests/replay/local.mk
include tests/cli/local.mk
include tests/bench/local.mk

# What tests read: the source tree, and the recorded traces and golden numbers beside it when they are there. Large files are put below
# the build where /var/tmp cannot be written to, as in builds of packages.
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	FLITREPLAY_SHARED="$${FLITREPLAY_SHARED-$$(cd '$(abs_top_srcdir)/../shared' 2>/dev/null && pwd)}"; \
	export FLITREPLAY_SHARED; \
	test -n "$$TMPDIR" || test -w /var/tmp || { TMPDIR='$(abs_top_builddir)'; export TMPDIR; };

# Laws of the whole: scripts that look at the tree, the library and the program.
TESTS += $(project_checks)
EXTRA_DIST += $(project_checks) tests/check-objects.allow
project_checks = \
	tests/check-objects \
	tests/cli/check-declarations \
	tests/cli/check-completions \
	tests/cli/check-docs \
	tests/cli/check-layers \
	tests/cli/check-names \
	tests/cli/check-symbols \
	tests/cli/check-install \
	tests/packaging/check-recipes

# What every suite needs: cmocka, and the helper that makes allocations fail (tests/fail-alloc.h).
AM_CPPFLAGS += $(CMOCKA_CFLAGS)
check_LTLIBRARIES += tests/libfailalloc.la
tests_libfailalloc_la_SOURCES = tests/fail-alloc.c tests/fail-alloc.h tests/settings.h tests/suite.h tests/brief.h

# How many there are, for who says how far they are (quickstart).
count-tests:
	@set -- $(TESTS) && echo $$#
