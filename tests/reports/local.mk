# Tests of reports/.
reports_tests = \
	tests/reports/test-comparison \
	tests/reports/test-json \
	tests/reports/test-text
check_PROGRAMS += $(reports_tests)
TESTS += $(reports_tests)

reports_test_libs = libreports.la libnetmodel.la libbase.la tests/libfailalloc.la $(JANSSON_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
reports_test_sample = tests/reports/sample.c tests/reports/sample.h

tests_reports_test_comparison_SOURCES = tests/reports/test-comparison.c $(reports_test_sample)
tests_reports_test_comparison_LDADD = $(reports_test_libs)
tests_reports_test_comparison_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_reports_test_json_SOURCES = tests/reports/test-json.c $(reports_test_sample)
tests_reports_test_json_LDADD = $(reports_test_libs)
tests_reports_test_json_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_reports_test_text_SOURCES = tests/reports/test-text.c $(reports_test_sample)
tests_reports_test_text_LDADD = $(reports_test_libs)
tests_reports_test_text_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)

# Pictures need topologies to draw.
check_PROGRAMS += tests/reports/test-picture
TESTS += tests/reports/test-picture
tests_reports_test_picture_SOURCES = tests/reports/test-picture.c tests/reports/well-formed.c tests/reports/well-formed.h
tests_reports_test_picture_LDADD = libreports.la libnetmodel.la libbase.la $(JANSSON_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

# HTML reports.
check_PROGRAMS += tests/reports/test-page
TESTS += tests/reports/test-page
tests_reports_test_page_SOURCES = tests/reports/test-page.c tests/reports/well-formed.c tests/reports/well-formed.h $(reports_test_sample)
tests_reports_test_page_LDADD = $(reports_test_libs)
tests_reports_test_page_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)

# The timeline of ranks as a picture.
check_PROGRAMS += tests/reports/test-timeline-lanes
TESTS += tests/reports/test-timeline-lanes
tests_reports_test_timeline_lanes_SOURCES = tests/reports/test-timeline-lanes.c tests/reports/well-formed.c tests/reports/well-formed.h $(reports_test_sample)
tests_reports_test_timeline_lanes_LDADD = $(reports_test_libs)
tests_reports_test_timeline_lanes_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
