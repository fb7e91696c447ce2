# The documents that are installed or distributed.
dist_man_MANS += doc/flitreplay-attribution.7 doc/libdumpitrace.3 doc/flitreplay.3
dist_doc_DATA += README.md NEWS COPYING
examplesdir = $(docdir)/examples
dist_examples_DATA = doc/examples/replay.c doc/examples/sweep.c doc/examples/mapping.c
dist_doc_DATA += doc/cluster.md doc/python.md doc/architecture.md doc/attribution.md doc/building.md doc/collectives.md doc/deflection.md doc/dependencies.md doc/equal-cost.md doc/equal-machines.md doc/faults.md doc/generate.md doc/flit-engine.md doc/hosts.md doc/index.md doc/multistage.md doc/networks.md doc/partitions.md doc/recording.md doc/replay.md doc/shared-channels.md doc/windows.md doc/without-buffers.md \
	doc/machines.md doc/mapping.md doc/mappings-on-machines.md doc/performance.md doc/tasks.md doc/tutorial.md
EXTRA_DIST += doc/STATUS.md doc/fuzzing.md doc/recording/exchange.c
EXTRA_DIST += doc/reproduce/mapping-study doc/reproduce/mapping-study.csv doc/reproduce/mapping-table doc/reproduce/qap-study doc/reproduce/qap-study.txt \
	doc/reproduce/qap-instances doc/reproduce/qap-large doc/reproduce/qap-large.txt \
	doc/reproduce/never-worse doc/reproduce/never-worse.txt

# The lists of flitreplay-formats(5) are made from the table that the schemas are made from.
nodist_man_MANS += doc/flitreplay-formats.5
CLEANFILES += doc/flitreplay-formats.5
EXTRA_DIST += doc/formats-head.mdoc doc/formats-tail.mdoc
doc/flitreplay-formats.5: $(srcdir)/doc/formats-head.mdoc $(srcdir)/doc/formats-tail.mdoc $(report_formats)
	$(AM_V_GEN)$(MKDIR_P) doc && { cat '$(srcdir)/doc/formats-head.mdoc' && \
	$(SHELL) '$(srcdir)/reports/schema/make-formats' page <'$(srcdir)/reports/schema/formats.table' && \
	cat '$(srcdir)/doc/formats-tail.mdoc'; } >$@.tmp && mv $@.tmp $@

# Notebooks, and the same data in R (tests/cli/test-notebook).
notebooksdir = $(docdir)/notebooks
dist_notebooks_DATA = doc/notebooks/figure-3.4.ipynb doc/notebooks/channels.R

# The pages of the program, of what it chooses by name, and of each subcommand, cut from one reference and the tables of
# subcommands and examples.
flitreplay_pages = \
	doc/flitreplay.1 \
	doc/flitreplay-kinds.7 \
	doc/flitreplay-check.1 \
	doc/flitreplay-collective.1 \
	doc/flitreplay-compare.1 \
	doc/flitreplay-convert.1 \
	doc/flitreplay-cost.1 \
	doc/flitreplay-generate.1 \
	doc/flitreplay-info.1 \
	doc/flitreplay-list.1 \
	doc/flitreplay-map.1 \
	doc/flitreplay-results.1 \
	doc/flitreplay-run.1 \
	doc/flitreplay-topology.1 \
	doc/flitreplay-traffic.1
nodist_man_MANS += $(flitreplay_pages)
CLEANFILES += $(flitreplay_pages)
EXTRA_DIST += doc/make-page doc/flitreplay.mdoc
$(flitreplay_pages): $(srcdir)/doc/make-page $(srcdir)/doc/flitreplay.mdoc $(srcdir)/replay/commands.def $(srcdir)/replay/examples.def
	$(AM_V_GEN)$(MKDIR_P) doc && $(SHELL) '$(srcdir)/doc/make-page' `basename $@ | sed 's/\.[17]$$//; s/^flitreplay-//'` \
	'$(srcdir)/doc/flitreplay.mdoc' '$(srcdir)/replay/commands.def' '$(srcdir)/replay/examples.def' >$@.tmp && mv $@.tmp $@

# The manual: all documents and pages in one HTML and one PDF file.
EXTRA_DIST += doc/make-manual doc/manual/filter.lua doc/manual/template.html doc/manual/style.html
manual_files = doc/flitreplay-manual.html doc/flitreplay-manual.pdf
CLEANFILES += $(manual_files)
if MANUAL_INSTALLED
doc_DATA = $(manual_files)
endif
if MANUAL_TOOLS
manual: $(manual_files)
else
manual:
	@echo 'make manual: configure found no pandoc, weasyprint or mandoc (or --without-manual).' >&2
	@echo 'On Debian: apt-get install pandoc weasyprint mandoc, then configure again.' >&2; exit 1
endif
install-manual: manual
	$(MKDIR_P) '$(DESTDIR)$(docdir)'
	$(INSTALL_DATA) $(manual_files) '$(DESTDIR)$(docdir)'
doc/flitreplay-manual.html: flitreplay$(EXEEXT) $(flitreplay_pages) doc/flitreplay-formats.5 $(dist_doc_DATA) $(dist_man_MANS) \
		$(srcdir)/doc/reproduce/README.md $(srcdir)/doc/make-manual $(srcdir)/doc/manual/filter.lua \
		$(srcdir)/doc/manual/template.html $(srcdir)/doc/manual/style.html
	$(AM_V_GEN)$(SHELL) '$(srcdir)/doc/make-manual' '$(srcdir)' . '$(VERSION)' >$@.tmp && mv $@.tmp $@
# What weasyprint says of properties that only browsers know is of no use; a link that leads nowhere is.
doc/flitreplay-manual.pdf: doc/flitreplay-manual.html
	$(AM_V_GEN)weasyprint doc/flitreplay-manual.html $@.tmp 2>$@.log; status=$$?; grep -v '^WARNING' $@.log >&2; rm -f $@.log; \
	test $$status = 0 && mv $@.tmp $@

# Shells load a completion from a file named after the command, each in a way of its own.
EXTRA_DIST += doc/flitreplay.bash-completion doc/flitreplay.fish doc/flitreplay.zsh-completion
# A page for every function of the libraries: a link to that of its library.
install-data-local:
if BASH_COMPLETION
	$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)'
	$(INSTALL_DATA) '$(srcdir)/doc/flitreplay.bash-completion' '$(DESTDIR)$(bashcompletiondir)/flitreplay'
endif
if FISH_COMPLETION
	$(MKDIR_P) '$(DESTDIR)$(fishcompletiondir)'
	$(INSTALL_DATA) '$(srcdir)/doc/flitreplay.fish' '$(DESTDIR)$(fishcompletiondir)/flitreplay.fish'
endif
if ZSH_COMPLETION
	$(MKDIR_P) '$(DESTDIR)$(zshcompletiondir)'
	$(INSTALL_DATA) '$(srcdir)/doc/flitreplay.zsh-completion' '$(DESTDIR)$(zshcompletiondir)/_flitreplay'
endif
	$(MKDIR_P) '$(DESTDIR)$(man3dir)'
	for page in flitreplay libdumpitrace; do \
		sed -n 's/^\.F[no] \(\(flr\|dpt\)_[a-z_]*\).*/\1/p' "$(srcdir)/doc/$$page.3" | sort -u | while read -r name; do \
			test "$$name.3" = "$$page.3" || echo ".so man3/$$page.3" >"$(DESTDIR)$(man3dir)/$$name.3" || exit; \
		done || exit; \
	done
uninstall-local:
	for page in flitreplay libdumpitrace; do \
		sed -n 's/^\.F[no] \(\(flr\|dpt\)_[a-z_]*\).*/\1/p' "$(srcdir)/doc/$$page.3" | sort -u | while read -r name; do \
			rm -f "$(DESTDIR)$(man3dir)/$$name.3"; \
		done; \
	done
if BASH_COMPLETION
	rm -f '$(DESTDIR)$(bashcompletiondir)/flitreplay'
endif
if FISH_COMPLETION
	rm -f '$(DESTDIR)$(fishcompletiondir)/flitreplay.fish'
endif
if ZSH_COMPLETION
	rm -f '$(DESTDIR)$(zshcompletiondir)/_flitreplay'
endif

# Results of papers, and the scripts that reproduce them (doc/reproduce/README.md).
EXTRA_DIST += doc/reproduce/README.md doc/reproduce/common.sh
EXTRA_DIST += doc/reproduce/glo-table-1 doc/reproduce/glo-table-1.txt
EXTRA_DIST += doc/reproduce/booksim2 doc/reproduce/booksim2.csv doc/reproduce/booksim2.txt doc/reproduce/speed-of-peers
EXTRA_DIST += doc/reproduce/speed-of-peers.txt
EXTRA_DIST += doc/reproduce/darm doc/reproduce/darm.txt
EXTRA_DIST += doc/reproduce/dragonfly doc/reproduce/dragonfly.txt doc/reproduce/fat-tree doc/reproduce/fat-tree.txt
EXTRA_DIST += doc/reproduce/flattened-butterfly doc/reproduce/flattened-butterfly.txt
EXTRA_DIST += doc/reproduce/loggopsim doc/reproduce/loggopsim.csv doc/reproduce/loggopsim.txt
EXTRA_DIST += doc/reproduce/loggopsim-rules doc/reproduce/loggopsim-rules.csv doc/reproduce/loggopsim-rules.txt
EXTRA_DIST += doc/reproduce/loggopsim-hosts doc/reproduce/loggopsim-hosts.csv doc/reproduce/loggopsim-hosts.txt
EXTRA_DIST += doc/reproduce/mappings-on-machines doc/reproduce/mappings-on-machines.txt
EXTRA_DIST += doc/reproduce/figure-3.7-slowdown doc/reproduce/figure-3.7-slowdown.txt
EXTRA_DIST += doc/reproduce/figure-3.7-equal doc/reproduce/figure-3.7-equal.txt
EXTRA_DIST += doc/reproduce/windows doc/reproduce/windows.txt
EXTRA_DIST += doc/reproduce/mway-figures-8-to-11 doc/reproduce/mway-figures-8-to-11.txt
EXTRA_DIST += doc/reproduce/figure-3.3 doc/reproduce/figure-3.7 doc/reproduce/figure-3.8 doc/reproduce/figures-3.4-to-3.6 \
	doc/reproduce/figures-3.9-and-3.10 doc/reproduce/insee doc/reproduce/table-3.1
EXTRA_DIST += doc/reproduce/figure-3.3.txt doc/reproduce/figure-3.7.txt doc/reproduce/figure-3.8.txt \
	doc/reproduce/figures-3.4-to-3.6.txt doc/reproduce/figures-3.9-and-3.10.txt doc/reproduce/insee.txt \
	doc/reproduce/table-3.1.txt
EXTRA_DIST += doc/reproduce/exactly-once doc/reproduce/exactly-once.txt
EXTRA_DIST += doc/reproduce/costs doc/reproduce/costs.txt
EXTRA_DIST += doc/reproduce/region-broadcast doc/reproduce/region-broadcast.txt
EXTRA_DIST += doc/reproduce/without-buffers doc/reproduce/without-buffers.txt
EXTRA_DIST += doc/reproduce/faults doc/reproduce/faults.txt
EXTRA_DIST += doc/reproduce/faults-in-programs doc/reproduce/faults-in-programs.txt
EXTRA_DIST += doc/reproduce/faults-on-rings doc/reproduce/faults-on-rings.txt
EXTRA_DIST += doc/reproduce/machines doc/reproduce/machines.txt
# Scripts that make the tables of the documents anew.
EXTRA_DIST += doc/reproduce/partitions doc/reproduce/partitions.txt
EXTRA_DIST += doc/reproduce/hardware-collectives doc/reproduce/hardware-collectives.csv
EXTRA_DIST += doc/reproduce/attribution-sums doc/reproduce/attribution-sums.csv

# Experiments for `flitreplay compare --experiment`.
EXTRA_DIST += doc/experiments/buffers.yaml doc/experiments/diagonals.yaml doc/experiments/figure-3.7.yaml \
	doc/experiments/faults.yaml doc/experiments/machines-64.yaml doc/experiments/machines-256.yaml \
	doc/experiments/without-buffers.yaml
