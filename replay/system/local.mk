# replay/system/: what is of this system: files, signals, processes.
libreplay_la_SOURCES += \
	replay/system/data-files.c replay/system/data-files.h \
	replay/system/files.c replay/system/files.h \
	replay/system/host.c replay/system/host.h

flitreplay_SOURCES += \
	replay/system/signals.c replay/system/signals.h \
	replay/system/world-launcher.c \
	replay/system/world.h

# The public library is a world of one.
libflitreplay_la_SOURCES += \
	replay/system/world-launcher.c \
	replay/system/world-none.c

if WITH_MPI
flitreplay_SOURCES += \
	replay/system/world-mpi.c
else
flitreplay_SOURCES += \
	replay/system/world-none.c
endif

# Where installed files are, as configure and make say.
BUILT_SOURCES += replay/system/data-directory.h
CLEANFILES += replay/system/data-directory.h
replay/system/data-files.lo: replay/system/data-directory.h
replay/system/data-directory.h: Makefile
	$(AM_V_GEN)$(MKDIR_P) replay/system && echo '#define REPLAY_DATA_DIRECTORY "$(pkgdatadir)"' >$@
