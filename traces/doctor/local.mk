# traces/doctor/: what is wrong with a trace.
libtraces_la_SOURCES += \
	traces/doctor/collectives.c \
	traces/doctor/defect.c traces/doctor/defect.h \
	traces/doctor/doctor.c traces/doctor/doctor.h \
	traces/doctor/internal.h \
	traces/doctor/messages.c
