# Tests of reports/comparison/.
reports_comparison_tests = \
	tests/reports/comparison/test-comparison
check_PROGRAMS += $(reports_comparison_tests)
TESTS += $(reports_comparison_tests)
tests_reports_comparison_test_comparison_SOURCES = tests/reports/comparison/test-comparison.c $(reports_test_sample)
tests_reports_comparison_test_comparison_LDADD = $(reports_test_libs)
tests_reports_comparison_test_comparison_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
