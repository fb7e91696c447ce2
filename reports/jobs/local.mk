# reports/jobs/: several jobs on one network.
libreports_la_SOURCES += \
	reports/jobs/fields.def \
	reports/jobs/internal.h \
	reports/jobs/jobs.c reports/jobs/jobs.h \
	reports/jobs/json.c \
	reports/jobs/page.c
