# reports/fields/: numbers of answers, by tables.
libreports_la_SOURCES += \
	reports/fields/field.c reports/fields/field.h
