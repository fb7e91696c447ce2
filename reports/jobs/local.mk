# reports/jobs/: several jobs on one network.
libreports_la_SOURCES += \
	reports/jobs/internal.h \
	reports/jobs/jobs.c reports/jobs/jobs.h \
	reports/jobs/page.c
