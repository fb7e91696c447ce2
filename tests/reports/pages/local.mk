# Tests of reports/pages/.
reports_pages_tests = \
	tests/reports/pages/test-page
check_PROGRAMS += $(reports_pages_tests)
TESTS += $(reports_pages_tests)
tests_reports_pages_test_page_SOURCES = tests/reports/pages/test-page.c tests/reports/well-formed.c tests/reports/well-formed.h $(reports_test_sample)
tests_reports_pages_test_page_LDADD = $(reports_test_libs)
tests_reports_pages_test_page_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
