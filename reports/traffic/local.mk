# reports/traffic/: synthetic traffic.
libreports_la_SOURCES += \
	reports/traffic/columns.c reports/traffic/fields.def \
	reports/traffic/picture.c reports/traffic/picture.h \
	reports/traffic/picture-energy.c \
	reports/traffic/traffic.c reports/traffic/traffic.h
