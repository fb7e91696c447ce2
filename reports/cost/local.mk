# reports/cost/: what networks, routers and links cost.
libreports_la_SOURCES += \
	reports/cost/brief.def \
	reports/cost/cost.c reports/cost/cost.h \
	reports/cost/data.c \
	reports/cost/fields.c reports/cost/fields.h reports/cost/fields.def \
	reports/cost/part.c reports/cost/part.h \
	reports/cost/section.c reports/cost/section.h
