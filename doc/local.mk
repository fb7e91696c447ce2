# The documents that are installed or distributed.
dist_man_MANS += doc/flitreplay.1 doc/libdumpitrace.3
dist_doc_DATA += README.md NEWS COPYING
dist_doc_DATA += doc/architecture.md doc/attribution.md doc/collectives.md doc/dependencies.md doc/generate.md doc/flit-engine.md doc/networks.md doc/replay.md
EXTRA_DIST += doc/STATUS.md doc/fuzzing.md

# bash loads a completion from a file named like the command.
EXTRA_DIST += doc/flitreplay.bash-completion
if BASH_COMPLETION
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)'
	$(INSTALL_DATA) '$(srcdir)/doc/flitreplay.bash-completion' '$(DESTDIR)$(bashcompletiondir)/flitreplay'
uninstall-local:
	rm -f '$(DESTDIR)$(bashcompletiondir)/flitreplay'
endif
