# replay/system/: what is of this system: files, signals, processes.
libreplay_la_SOURCES += \
	replay/system/host.c replay/system/host.h

flitreplay_SOURCES += \
	replay/system/files.c replay/system/files.h \
	replay/system/signals.c replay/system/signals.h \
	replay/system/world-launcher.c \
	replay/system/world.h

if WITH_MPI
flitreplay_SOURCES += \
	replay/system/world-mpi.c
else
flitreplay_SOURCES += \
	replay/system/world-none.c
endif
