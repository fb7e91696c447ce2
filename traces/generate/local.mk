# traces/generate/: programs from formulas: a file a kernel.
libtraces_la_SOURCES += \
	traces/generate/cg.c \
	traces/generate/dt.c \
	traces/generate/ep.c \
	traces/generate/exchange.c \
	traces/generate/ft.c \
	traces/generate/generate.c traces/generate/generate.h \
	traces/generate/generators.def \
	traces/generate/internal.h \
	traces/generate/is.c \
	traces/generate/lu.c \
	traces/generate/mg.c \
	traces/generate/multipartition.c \
	traces/generate/open.c \
	traces/generate/skeleton.c \
	traces/generate/stencil.c \
	traces/generate/survey.c traces/generate/survey.h \
	traces/generate/wavefront.c
