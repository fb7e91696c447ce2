# The room reports/: one convenience library.
noinst_LTLIBRARIES += libreports.la
libreports_la_SOURCES =

include reports/comparison/local.mk
include reports/cost/local.mk
include reports/drawing/local.mk
include reports/fields/local.mk
include reports/jobs/local.mk
include reports/pages/local.mk
include reports/placement/local.mk
include reports/run/local.mk
include reports/timeline/local.mk
include reports/topology/local.mk
include reports/traces/local.mk
include reports/traffic/local.mk

# JSON schemas, from the table of all formats.
report_schemas = \
	reports/schema/flitreplay-check-1.json \
	reports/schema/flitreplay-collective-1.json \
	reports/schema/flitreplay-compare-1.json \
	reports/schema/flitreplay-convert-1.json \
	reports/schema/flitreplay-cost-1.json \
	reports/schema/flitreplay-cost-link-1.json \
	reports/schema/flitreplay-cost-router-1.json \
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
# What schemas and flitreplay-formats(5) are made of: the table, and the tables of numbers that it names.
report_formats = \
	$(srcdir)/reports/cost/brief.def \
	$(srcdir)/reports/cost/fields.def \
	$(srcdir)/reports/jobs/fields.def \
	$(srcdir)/reports/placement/cost.def \
	$(srcdir)/reports/run/failing.def \
	$(srcdir)/reports/run/fields.def \
	$(srcdir)/reports/schema/formats.table \
	$(srcdir)/reports/schema/make-formats \
	$(srcdir)/reports/topology/fields.def \
	$(srcdir)/reports/traces/fields.def \
	$(srcdir)/reports/traffic/fields.def
$(report_schemas): $(report_formats)
	$(AM_V_GEN)$(MKDIR_P) reports/schema && \
	$(SHELL) '$(srcdir)/reports/schema/make-formats' schema `basename $@ .json` <'$(srcdir)/reports/schema/formats.table' >$@.tmp && \
	mv $@.tmp $@
