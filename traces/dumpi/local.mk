# traces/dumpi/: DUMPI as a trace format: records as operations.
libtraces_la_SOURCES += \
	traces/dumpi/active.c traces/dumpi/active.h \
	traces/dumpi/calls.c traces/dumpi/calls.def \
	traces/dumpi/clock.h \
	traces/dumpi/creations.c traces/dumpi/creations.h \
	traces/dumpi/draft.c \
	traces/dumpi/find.c traces/dumpi/find.h \
	traces/dumpi/format.c \
	traces/dumpi/handlers.h \
	traces/dumpi/program-clock.c \
	traces/dumpi/program-collectives.c \
	traces/dumpi/program-groups.c \
	traces/dumpi/program-implied.c \
	traces/dumpi/program-messages.c \
	traces/dumpi/program-receives.c \
	traces/dumpi/program-waits.c \
	traces/dumpi/program.c traces/dumpi/program.h \
	traces/dumpi/repairs.def \
	traces/dumpi/report.c \
	traces/dumpi/sizes.c \
	traces/dumpi/survey-plain.c \
	traces/dumpi/survey.c traces/dumpi/survey.h
