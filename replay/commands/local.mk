# replay/commands/: the command line: a file a subcommand.
flitreplay_SOURCES += \
	replay/commands/answer.c \
	replay/commands/arguments.c \
	replay/commands/command.h \
	replay/commands/compare.c \
	replay/commands/main.c \
	replay/commands/map.c \
	replay/commands/pictures.c replay/commands/pictures.h \
	replay/commands/progress.c replay/commands/progress.h \
	replay/commands/run-jobs.c \
	replay/commands/run.c \
	replay/commands/traffic.c
