# Tests of reports/drawing/.
reports_drawing_tests = \
	tests/reports/drawing/test-picture
check_PROGRAMS += $(reports_drawing_tests)
TESTS += $(reports_drawing_tests)
tests_reports_drawing_test_picture_SOURCES = tests/reports/drawing/test-picture.c tests/reports/well-formed.c tests/reports/well-formed.h
tests_reports_drawing_test_picture_LDADD = libreports.la libnetmodel.la libbase.la $(JANSSON_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
