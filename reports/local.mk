# The room reports/: one convenience library.
noinst_LTLIBRARIES += libreports.la
libreports_la_SOURCES = \
	reports/run/attribution.c reports/run/attribution.h \
	reports/traces/check.c reports/traces/check.h \
	reports/pages/clean.c reports/pages/clean.h \
	reports/traces/collective.c reports/traces/collective.h \
	reports/comparison/comparison.c reports/comparison/comparison.h reports/comparison/internal.h reports/comparison/outcome.def \
	reports/comparison/data.c reports/comparison/text.c reports/comparison/verdict.c \
	reports/comparison/reasons.c reports/comparison/reasons.h \
	reports/traces/convert.c reports/traces/convert.h \
	reports/pages/csv.c reports/pages/csv.h \
	reports/run/coverage.c reports/run/coverage.h \
	reports/topology/deadlock.c reports/topology/deadlock.h \
	reports/pages/host.h \
	reports/traces/info.c reports/traces/info.h \
	reports/pages/inputs.c reports/pages/inputs.h \
	reports/jobs/jobs.c reports/jobs/jobs.h reports/jobs/internal.h reports/jobs/page.c \
	reports/pages/json.c reports/pages/json.h \
	reports/run/clocks.c reports/run/clocks.h \
	reports/run/link-use.c reports/run/link-use.h \
	reports/pages/page.c reports/pages/page.h \
	reports/pages/markup.c reports/pages/markup.h reports/pages/style.c \
	reports/timeline/paje.c reports/timeline/paje.h \
	reports/run/path.c reports/run/path.h \
	reports/placement/picture.c reports/placement/picture.h \
	reports/placement/partition.c reports/placement/partition.h \
	reports/placement/placement.c reports/placement/placement.h \
	reports/comparison/results.c reports/comparison/results.h \
	reports/run/run.c reports/run/json.c reports/run/text.c reports/run/run.h \
	reports/timeline/timeline.c reports/timeline/timeline.h \
	reports/timeline/lanes.c reports/timeline/lanes.h \
	reports/topology/topology.c reports/topology/topology.h
# Pictures: primitives, a format, and what is drawn with them.
libreports_la_SOURCES += \
	reports/drawing/draw.c reports/drawing/draw.h \
	reports/drawing/svg.c reports/drawing/svg.h \
	reports/drawing/palette.h reports/drawing/chart.c reports/drawing/chart.h \
	reports/drawing/picture-layout.c reports/drawing/picture-layout.h \
	reports/drawing/load-layer.c reports/drawing/load-layer.h \
	reports/comparison/picture.c reports/comparison/picture.h \
	reports/run/picture.c reports/run/picture.h reports/run/picture-kinds.def \
	reports/run/picture-attribution.c reports/run/picture-latency.c reports/run/picture-load.c \
	reports/run/picture-matrix.c reports/run/picture-ranks.c reports/run/picture-slowdown.c \
	reports/run/picture-timeline.c \
	reports/topology/picture.c reports/topology/picture.h \
	reports/topology/picture-parts.h reports/topology/picture-mway.c reports/topology/picture-graph.c
# Synthetic traffic.
libreports_la_SOURCES += \
	reports/traffic/traffic.c reports/traffic/traffic.h \
	reports/traffic/columns.c reports/traffic/columns.h \
	reports/traffic/picture.c

# JSON schemas, from the table of all formats.
report_schemas = \
	reports/schema/flitreplay-check-1.json \
	reports/schema/flitreplay-collective-1.json \
	reports/schema/flitreplay-compare-1.json \
	reports/schema/flitreplay-convert-1.json \
	reports/schema/flitreplay-info-1.json \
	reports/schema/flitreplay-jobs-1.json \
	reports/schema/flitreplay-map-1.json \
	reports/schema/flitreplay-results-1.json \
	reports/schema/flitreplay-run-1.json \
	reports/schema/flitreplay-topology-1.json \
	reports/schema/flitreplay-traffic-1.json
schemadir = $(pkgdatadir)/schema
nodist_schema_DATA = $(report_schemas)
CLEANFILES += $(report_schemas)
EXTRA_DIST += reports/schema/formats.table reports/schema/make-formats
$(report_schemas): $(srcdir)/reports/schema/formats.table $(srcdir)/reports/schema/make-formats
	$(AM_V_GEN)$(MKDIR_P) reports/schema && \
	$(SHELL) '$(srcdir)/reports/schema/make-formats' schema `basename $@ .json` <'$(srcdir)/reports/schema/formats.table' >$@.tmp && \
	mv $@.tmp $@
