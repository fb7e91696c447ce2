# traces/otf2/: OTF2 as a trace format: the survey, repairs, records as operations.
libtraces_la_SOURCES += \
	traces/otf2/agreement.c \
	traces/otf2/callers.c traces/otf2/callers.h \
	traces/otf2/channels.c \
	traces/otf2/collectives.c \
	traces/otf2/creations.c \
	traces/otf2/decoder.c traces/otf2/decoder.h \
	traces/otf2/exceptions.c \
	traces/otf2/format.c \
	traces/otf2/groups.c traces/otf2/groups.h \
	traces/otf2/guesses.c \
	traces/otf2/messages.c \
	traces/otf2/repair.h \
	traces/otf2/repairs.def \
	traces/otf2/report.c traces/otf2/report.h \
	traces/otf2/requests.c traces/otf2/requests.h \
	traces/otf2/settle.c traces/otf2/settle.h \
	traces/otf2/sizes.c traces/otf2/sizes.h \
	traces/otf2/stream.c traces/otf2/stream.h \
	traces/otf2/survey.c traces/otf2/survey.h \
	traces/otf2/tables.h \
	traces/otf2/vectors.c traces/otf2/vectors.h \
	traces/otf2/windows.c
