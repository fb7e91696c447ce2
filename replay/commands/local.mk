# replay/commands/: the command line: a file a subcommand.
flitreplay_SOURCES += \
	replay/commands/arguments.c \
	replay/commands/check.c \
	replay/commands/collective.c \
	replay/commands/command-line.c \
	replay/commands/command.h \
	replay/commands/compare.c \
	replay/commands/convert.c \
	replay/commands/cost-part.c replay/commands/cost-part.h \
	replay/commands/cost.c \
	replay/commands/generate.c \
	replay/commands/graph-file.c replay/commands/graph-file.h \
	replay/commands/help.c \
	replay/commands/info.c \
	replay/commands/list.c \
	replay/commands/main.c \
	replay/commands/map.c \
	replay/commands/pictures.c replay/commands/pictures.h \
	replay/commands/progress.c replay/commands/progress.h \
	replay/commands/results.c \
	replay/commands/run-jobs.c \
	replay/commands/run.c \
	replay/commands/strict.c \
	replay/commands/topology.c \
	replay/commands/traffic.c
