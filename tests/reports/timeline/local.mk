# Tests of reports/timeline/.
reports_timeline_tests = \
	tests/reports/timeline/test-lanes
check_PROGRAMS += $(reports_timeline_tests)
TESTS += $(reports_timeline_tests)
tests_reports_timeline_test_lanes_SOURCES = tests/reports/timeline/test-lanes.c tests/reports/well-formed.c tests/reports/well-formed.h $(reports_test_sample)
tests_reports_timeline_test_lanes_LDADD = $(reports_test_libs)
tests_reports_timeline_test_lanes_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
