# Tests of reports/.
reports_tests = \
	tests/reports/comparison/test-comparison \
	tests/reports/run/test-json \
	tests/reports/run/test-text
check_PROGRAMS += $(reports_tests)
TESTS += $(reports_tests)

reports_test_libs = libreports.la libnetmodel.la libbase.la tests/libfailalloc.la $(JANSSON_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
reports_test_sample = tests/reports/sample.c tests/reports/sample.h

tests_reports_comparison_test_comparison_SOURCES = tests/reports/comparison/test-comparison.c $(reports_test_sample)
tests_reports_comparison_test_comparison_LDADD = $(reports_test_libs)
tests_reports_comparison_test_comparison_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_reports_run_test_json_SOURCES = tests/reports/run/test-json.c $(reports_test_sample)
tests_reports_run_test_json_LDADD = $(reports_test_libs)
tests_reports_run_test_json_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_reports_run_test_text_SOURCES = tests/reports/run/test-text.c $(reports_test_sample)
tests_reports_run_test_text_LDADD = $(reports_test_libs)
tests_reports_run_test_text_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)

# Pictures need topologies to draw.
check_PROGRAMS += tests/reports/drawing/test-picture
TESTS += tests/reports/drawing/test-picture
tests_reports_drawing_test_picture_SOURCES = tests/reports/drawing/test-picture.c tests/reports/well-formed.c tests/reports/well-formed.h
tests_reports_drawing_test_picture_LDADD = libreports.la libnetmodel.la libbase.la $(JANSSON_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)

# HTML reports.
check_PROGRAMS += tests/reports/pages/test-page
TESTS += tests/reports/pages/test-page
tests_reports_pages_test_page_SOURCES = tests/reports/pages/test-page.c tests/reports/well-formed.c tests/reports/well-formed.h $(reports_test_sample)
tests_reports_pages_test_page_LDADD = $(reports_test_libs)
tests_reports_pages_test_page_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)

# The timeline of ranks as a picture.
check_PROGRAMS += tests/reports/timeline/test-lanes
TESTS += tests/reports/timeline/test-lanes
tests_reports_timeline_test_lanes_SOURCES = tests/reports/timeline/test-lanes.c tests/reports/well-formed.c tests/reports/well-formed.h $(reports_test_sample)
tests_reports_timeline_test_lanes_LDADD = $(reports_test_libs)
tests_reports_timeline_test_lanes_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
