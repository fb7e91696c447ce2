# Tests of traces/doctor/.
traces_doctor_tests = \
	tests/traces/doctor/test-defect \
	tests/traces/doctor/test-doctor
check_PROGRAMS += $(traces_doctor_tests)
TESTS += $(traces_doctor_tests)
tests_traces_doctor_test_defect_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_doctor_test_defect_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
tests_traces_doctor_test_doctor_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
tests_traces_doctor_test_doctor_LDADD = $(TRACE_TEST_LIBS) tests/libfailalloc.la $(CMOCKA_LIBS)
