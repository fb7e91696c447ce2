# reports/drawing/: pictures: primitives, layout, SVG.
libreports_la_SOURCES += \
	reports/drawing/chart.c reports/drawing/chart.h \
	reports/drawing/draw.c reports/drawing/draw.h \
	reports/drawing/load-layer.c reports/drawing/load-layer.h \
	reports/drawing/measure.c reports/drawing/measure.h \
	reports/drawing/palette.h \
	reports/drawing/picture-layout.c reports/drawing/picture-layout.h \
	reports/drawing/svg.c reports/drawing/svg.h
