# reports/traces/: what is in a trace, wrong with it, and made of it.
libreports_la_SOURCES += \
	reports/traces/check.c reports/traces/check.h \
	reports/traces/collective.c reports/traces/collective.h \
	reports/traces/convert.c reports/traces/convert.h \
	reports/traces/fields.def \
	reports/traces/info.c reports/traces/info.h
