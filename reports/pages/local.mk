# reports/pages/: the forms of answers: HTML, JSON, CSV.
libreports_la_SOURCES += \
	reports/pages/clean.c reports/pages/clean.h \
	reports/pages/csv.c reports/pages/csv.h \
	reports/pages/host.h \
	reports/pages/inputs.c reports/pages/inputs.h \
	reports/pages/json.c reports/pages/json.h \
	reports/pages/markup.c reports/pages/markup.h \
	reports/pages/page.c reports/pages/page.h \
	reports/pages/physical.c reports/pages/physical.h \
	reports/pages/script.c \
	reports/pages/style.c \
	reports/pages/window.c reports/pages/window.h
