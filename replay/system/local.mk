# replay/system/: what is of this system: files, processes.
libreplay_la_SOURCES += \
	replay/system/data-files.c replay/system/data-files.h \
	replay/system/files.c replay/system/files.h \
	replay/system/host.c replay/system/host.h \
	replay/system/world.c replay/system/world.h \
	replay/system/world-launcher.c \
	replay/system/world-load.h \
	replay/system/world-module.h

# MPI is a module's own, loaded where a launcher has started the process.
if WITH_MPI
libreplay_la_SOURCES += replay/system/world-load.c
pkglib_LTLIBRARIES += world-mpi.la
world_mpi_la_SOURCES = replay/system/world-mpi.c
world_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
world_mpi_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -no-undefined
world_mpi_la_LIBADD = $(MPI_LIBS) -lpthread
else
libreplay_la_SOURCES += replay/system/world-none.c
endif

# Where installed files are, as configure and make say.
BUILT_SOURCES += replay/system/data-directory.h
CLEANFILES += replay/system/data-directory.h
replay/system/data-files.lo: replay/system/data-directory.h
replay/system/data-directory.h: Makefile
	$(AM_V_GEN)$(MKDIR_P) replay/system && echo '#define REPLAY_DATA_DIRECTORY "$(pkgdatadir)"' >$@ && \
		echo '#define REPLAY_MODULE_DIRECTORY "$(pkglibdir)"' >>$@
