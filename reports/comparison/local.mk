# reports/comparison/: many runs side by side, and the verdict.
libreports_la_SOURCES += \
	reports/comparison/comparison.c reports/comparison/comparison.h \
	reports/comparison/costs.c reports/comparison/costs.h \
	reports/comparison/data.c \
	reports/comparison/faults.c reports/comparison/faults.h \
	reports/comparison/internal.h \
	reports/comparison/picture.c reports/comparison/picture.h \
	reports/comparison/plane.c reports/comparison/plane.h \
	reports/comparison/reasons.c reports/comparison/reasons.h \
	reports/comparison/results.c reports/comparison/results.h \
	reports/comparison/text.c \
	reports/comparison/verdict.c
