# reports/timeline/: who did what when.
libreports_la_SOURCES += \
	reports/timeline/lanes.c reports/timeline/lanes.h \
	reports/timeline/paje.c reports/timeline/paje.h \
	reports/timeline/timeline.c reports/timeline/timeline.h
