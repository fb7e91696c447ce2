# replay/answers/: what the subcommands answer, a file each, for the command line and the library alike.
libreplay_la_SOURCES += \
	replay/answers/answer.c replay/answers/answer.h \
	replay/answers/arguments.c \
	replay/answers/check.c \
	replay/answers/collective.c \
	replay/answers/command-line.c \
	replay/answers/compare.c \
	replay/answers/convert.c \
	replay/answers/cost-part.c replay/answers/cost-part.h \
	replay/answers/cost.c \
	replay/answers/generate.c \
	replay/answers/help.c replay/answers/help.h \
	replay/answers/info.c \
	replay/answers/jobs.c \
	replay/answers/list.c \
	replay/answers/map.c \
	replay/answers/pictures.c replay/answers/pictures.h \
	replay/answers/results.c \
	replay/answers/run.c \
	replay/answers/strict.c \
	replay/answers/topology.c \
	replay/answers/traffic.c
