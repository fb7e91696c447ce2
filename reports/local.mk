# The room reports/: one convenience library.
noinst_LTLIBRARIES += libreports.la
libreports_la_SOURCES = \
	reports/attribution.c reports/attribution.h \
	reports/check.c reports/check.h \
	reports/clean.c reports/clean.h \
	reports/collective.c reports/collective.h \
	reports/comparison.c reports/comparison.h reports/comparison-internal.h reports/outcome.def \
	reports/comparison-data.c reports/comparison-text.c reports/comparison-verdict.c \
	reports/comparison-reasons.c reports/comparison-reasons.h \
	reports/convert.c reports/convert.h \
	reports/csv.c reports/csv.h \
	reports/coverage.c reports/coverage.h \
	reports/deadlock.c reports/deadlock.h \
	reports/host.h \
	reports/info.c reports/info.h \
	reports/inputs.c reports/inputs.h \
	reports/jobs.c reports/jobs.h reports/jobs-internal.h reports/jobs-page.c \
	reports/json.c reports/json.h \
	reports/clocks.c reports/clocks.h \
	reports/link-use.c reports/link-use.h \
	reports/page.c reports/page.h \
	reports/page-markup.c reports/page-markup.h reports/page-style.c \
	reports/paje.c reports/paje.h \
	reports/path.c reports/path.h \
	reports/placement-picture.c reports/placement-picture.h \
	reports/partition.c reports/partition.h \
	reports/placement.c reports/placement.h \
	reports/results.c reports/results.h \
	reports/run.c reports/run-json.c reports/run-text.c reports/run.h \
	reports/timeline.c reports/timeline.h \
	reports/timeline-lanes.c reports/timeline-lanes.h \
	reports/topology.c reports/topology.h
# Pictures: primitives, a format, and what is drawn with them.
libreports_la_SOURCES += \
	reports/draw.c reports/draw.h \
	reports/svg.c reports/svg.h \
	reports/palette.h reports/chart.c reports/chart.h \
	reports/picture-layout.c reports/picture-layout.h \
	reports/load-layer.c reports/load-layer.h \
	reports/comparison-picture.c reports/comparison-picture.h \
	reports/run-picture.c reports/run-picture.h reports/run-picture-kinds.def \
	reports/run-picture-attribution.c reports/run-picture-latency.c reports/run-picture-load.c \
	reports/run-picture-matrix.c reports/run-picture-ranks.c reports/run-picture-slowdown.c \
	reports/run-picture-timeline.c \
	reports/topology-picture.c reports/topology-picture.h \
	reports/topology-picture-internal.h reports/topology-picture-mway.c reports/topology-picture-graph.c
# Synthetic traffic.
libreports_la_SOURCES += \
	reports/traffic.c reports/traffic.h \
	reports/traffic-columns.c reports/traffic-columns.h \
	reports/traffic-picture.c

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
