# Tests of reports/run/.
reports_run_tests = \
	tests/reports/run/test-json \
	tests/reports/run/test-text
check_PROGRAMS += $(reports_run_tests)
TESTS += $(reports_run_tests)
tests_reports_run_test_json_SOURCES = tests/reports/run/test-json.c $(reports_test_sample)
tests_reports_run_test_json_LDADD = $(reports_test_libs)
tests_reports_run_test_json_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_reports_run_test_text_SOURCES = tests/reports/run/test-text.c $(reports_test_sample)
tests_reports_run_test_text_LDADD = $(reports_test_libs)
tests_reports_run_test_text_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
