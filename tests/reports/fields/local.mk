# Tests of reports/fields/.
reports_fields_tests = tests/reports/fields/test-field
check_PROGRAMS += $(reports_fields_tests)
TESTS += $(reports_fields_tests)
tests_reports_fields_test_field_LDADD = $(reports_test_libs)
