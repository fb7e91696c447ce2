# Tests of reports/.
reports_test_libs = libreports.la libnetmodel.la libbase.la tests/libfailalloc.la $(JANSSON_LIBS) $(XXHASH_LIBS) $(CMOCKA_LIBS)
reports_test_sample = tests/reports/sample.c tests/reports/sample.h


include tests/reports/comparison/local.mk
include tests/reports/drawing/local.mk
include tests/reports/fields/local.mk
include tests/reports/pages/local.mk
include tests/reports/run/local.mk
include tests/reports/timeline/local.mk
