# replay/commands/: the command line.
flitreplay_SOURCES += \
	replay/commands/arguments.c \
	replay/commands/command.h \
	replay/commands/main.c \
	replay/commands/progress.c replay/commands/progress.h \
	replay/commands/signals.c replay/commands/signals.h \
	replay/commands/work.c
