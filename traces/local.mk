# The room traces/: one convenience library.
noinst_LTLIBRARIES += libtraces.la
libtraces_la_SOURCES =
libtraces_la_SOURCES += traces/program.c traces/program.h traces/program-internal.h traces/hash.c traces/hash.h traces/collectives.def
libtraces_la_SOURCES += traces/generate.h traces/joined.h traces/joined.c traces/writer.h
# What is wrong with a trace.
libtraces_la_SOURCES += traces/defect.c traces/defect.h \
	traces/doctor.c traces/doctor-collectives.c traces/doctor-messages.c traces/doctor.h traces/doctor-internal.h
libtraces_la_SOURCES += traces/memory.c traces/memory.h
libtraces_la_SOURCES += traces/implied.c traces/implied.h
libtraces_la_SOURCES += traces/communicators.c traces/communicators.h traces/communicators-internal.h \
	traces/communicators-kinds.c \
	traces/communicators-lists.c \
	traces/communicators-resolve.c
libtraces_la_SOURCES += traces/open.c traces/format.h traces/kinds.def traces/grow.h \
	traces/otf2-files.c traces/otf2-files.h \
	traces/otf2-format.c \
	traces/otf2-anchor.c traces/otf2-anchor.h \
	traces/otf2-archive.c traces/otf2-archive.h \
	traces/otf2-callers.c traces/otf2-callers.h \
	traces/otf2-chunks.c traces/otf2-chunks.h \
	traces/otf2-calls.c traces/otf2-calls.h traces/otf2-calls.def \
	traces/otf2-collect.c traces/otf2-collect.h \
	traces/otf2-decoder.c traces/otf2-decoder.h \
	traces/otf2-definitions.c traces/otf2-definitions.h \
	traces/otf2-events.c traces/otf2-events.h traces/otf2-events.def \
	traces/otf2-groups.c traces/otf2-groups.h \
	traces/otf2-agreement.c traces/otf2-channels.c traces/otf2-guesses.c traces/otf2-repair.h \
	traces/otf2-exceptions.c \
	traces/otf2-identifiers.c traces/otf2-identifiers.h \
	traces/otf2-messages.c traces/otf2-collectives.c traces/otf2-creations.c traces/otf2-windows.c \
	traces/otf2-queue.c traces/otf2-queue.h \
	traces/otf2-records.c traces/otf2-records.h \
	traces/otf2-report.c traces/otf2-report.h traces/otf2-repairs.def \
	traces/otf2-requests.c traces/otf2-requests.h \
	traces/otf2-sizes.c traces/otf2-sizes.h \
	traces/otf2-stream.c traces/otf2-stream.h \
	traces/otf2-survey.c traces/otf2-survey.h \
	traces/otf2-tables.h \
	traces/otf2-vectors.c traces/otf2-vectors.h

# DUMPI as a trace format, on top of the library below.
libtraces_la_SOURCES += \
	traces/dumpi-active.c traces/dumpi-active.h \
	traces/dumpi-calls.c traces/dumpi-calls.def traces/dumpi-handlers.h \
	traces/dumpi-creations.c traces/dumpi-creations.h \
	traces/dumpi-find.c traces/dumpi-find.h \
	traces/dumpi-format.c \
	traces/dumpi-program.c traces/dumpi-program.h \
	traces/dumpi-program-clock.c \
	traces/dumpi-program-collectives.c \
	traces/dumpi-program-groups.c \
	traces/dumpi-program-implied.c \
	traces/dumpi-program-messages.c \
	traces/dumpi-program-receives.c \
	traces/dumpi-program-waits.c \
	traces/dumpi-queue.c traces/dumpi-queue.h \
	traces/dumpi-repairs.def \
	traces/dumpi-report.c \
	traces/dumpi-sizes.c \
	traces/dumpi-survey.c traces/dumpi-survey.h \
	traces/processor-loss.c traces/processor-loss.h
libtraces_la_LIBADD = libdumpi.la $(ZLIB_LIBS)

# Collectives and the communication graph.
libtraces_la_SOURCES += \
	traces/collective.c traces/collective.h traces/collective-kinds.def \
	traces/collective-parts.h \
	traces/collective-steps.c traces/collective-steps.h \
	traces/collective-trees.c traces/collective-trees.h \
	traces/collective-allgather-bruck.c \
	traces/collective-allgather-neighbor-exchange.c \
	traces/collective-allgather-direct.c \
	traces/collective-allgather-nonoverlapping.c \
	traces/collective-allgather-recursive-doubling.c \
	traces/collective-allgather-ring.c \
	traces/collective-allgatherv-ring.c \
	traces/collective-allreduce-allgather-reduce.c \
	traces/collective-allreduce-nonoverlapping.c \
	traces/collective-allreduce-rabenseifner.c \
	traces/collective-allreduce-rabenseifner-pairs.c \
	traces/collective-allreduce-recursive-doubling.c \
	traces/collective-allreduce-ring.c \
	traces/collective-alltoall-bruck.c \
	traces/collective-alltoall-linear-sync.c \
	traces/collective-alltoall-linear.c \
	traces/collective-alltoall-pairwise-ring.c \
	traces/collective-alltoall-pairwise.c \
	traces/collective-alltoall-scattered.c \
	traces/collective-barrier-double-ring.c \
	traces/collective-barrier-linear.c \
	traces/collective-barrier-recursive-doubling.c \
	traces/collective-barrier-tree.c \
	traces/collective-bcast-binary.c \
	traces/collective-bcast-binomial.c \
	traces/collective-bcast-chain.c \
	traces/collective-bcast-doubling.c \
	traces/collective-bcast-k-nomial.c \
	traces/collective-bcast-libnbc.c \
	traces/collective-bcast-linear.c \
	traces/collective-bcast-pipeline.c \
	traces/collective-bcast-scatter-doubling.c \
	traces/collective-bcast-scatter-ring.c \
	traces/collective-bcast-split-binary.c \
	traces/collective-dissemination.c \
	traces/collective-hardware.c traces/selection-hardware.c \
	traces/collective-gather-binomial.c \
	traces/collective-gather-linear-sync.c \
	traces/collective-gather-linear.c \
	traces/collective-gatherv-linear.c \
	traces/collective-inter-leaders.c \
	traces/collective-inter-linear.c \
	traces/collective-inter-pairwise.c \
	traces/collective-reduce-binary.c \
	traces/collective-reduce-binomial.c \
	traces/collective-reduce-chain.c \
	traces/collective-reduce-in-order-binary.c \
	traces/collective-reduce-k-nomial.c \
	traces/collective-reduce-libnbc.c \
	traces/collective-libnbc-parts.c \
	traces/collective-reduce-linear.c \
	traces/collective-reduce-pipeline.c \
	traces/collective-reduce-rabenseifner.c \
	traces/collective-reduce-scatter-butterfly.c \
	traces/collective-reduce-scatter-halving.c \
	traces/collective-reduce-scatter-nonoverlapping.c \
	traces/collective-reduce-scatter-pairwise.c \
	traces/collective-reduce-scatter-recursive-doubling.c \
	traces/collective-reduce-scatter-ring.c \
	traces/collective-scan-linear.c \
	traces/collective-scan-recursive-doubling.c \
	traces/collective-scatter-binomial.c \
	traces/collective-scatter-linear-nb.c \
	traces/collective-scatter-linear.c \
	traces/collective-scatterv-linear.c \
	traces/expansion.c traces/expansion.h \
	traces/graph.c traces/graph.h \
	traces/walk.c traces/walk.h \
	traces/collective-rounds.c traces/collective-rounds.h \
	traces/selection-mpich.c traces/selection-openmpi.c traces/selection-openmpi-classic.c \
	traces/selection-libnbc.c traces/selection-linear.c traces/selection-binomial.c traces/selections.def \
	traces/selection-rules.c traces/selection-rules.h

# Programs as trace files.
libtraces_la_SOURCES += \
	traces/writer.c traces/writer-internal.h traces/writers.def traces/writer-losses.def \
	traces/writer-base.c traces/writer-place.c traces/writer-requests.c \
	traces/writer-otf2.c traces/writer-otf2.h traces/writer-otf2-calls.c traces/writer-otf2-definitions.c traces/writer-otf2-metrics.c \
	traces/writer-otf2-memory.c \
	traces/writer-dumpi.c traces/writer-dumpi.h traces/writer-dumpi-collectives.c \
	traces/writer-dumpi-communicators.c traces/writer-dumpi-plan.c \
	traces/writer-goal.c

# GOAL as a trace format.
libtraces_la_SOURCES += \
	traces/goal-format.c traces/goal-program.h \
	traces/goal-survey.c \
	traces/goal-cursor.c \
	traces/goal-block.c traces/goal-block.h \
	traces/goal-graph.c traces/goal-graph.h \
	traces/goal-order.c traces/goal-names.c \
	traces/goal-labels.c traces/goal-labels.h \
	traces/goal-text.c traces/goal-text.h

# Programs made from formulas: the framework, then a file a kernel.
libtraces_la_SOURCES += \
	traces/generate.c traces/generate-internal.h traces/generators.def \
	traces/generate-skeleton.c \
	traces/generate-survey.c traces/generate-survey.h \
	traces/generate-cg.c \
	traces/generate-dt.c \
	traces/generate-ep.c \
	traces/generate-exchange.c \
	traces/generate-ft.c \
	traces/generate-is.c \
	traces/generate-lu.c \
	traces/generate-mg.c \
	traces/generate-multipartition.c \
	traces/generate-open.c \
	traces/generate-stencil.c \
	traces/generate-wavefront.c

# The DUMPI reader and writer: a library of its own, which uses nothing of the others. Tests and the rooms link with the
# convenience library, others with the installed one, which shows dpt_* only.
noinst_LTLIBRARIES += libdumpi.la
libdumpi_la_SOURCES = traces/dumpitrace.h traces/dumpi-functions.def \
	traces/dumpi-datatypes.c \
	traces/dumpi-decode.c \
	traces/dumpi-error.c traces/dumpi-error.h \
	traces/dumpi-input.c traces/dumpi-input.h \
	traces/dumpi-layout.c traces/dumpi-layout.h \
	traces/dumpi-pool.c traces/dumpi-pool.h \
	traces/dumpi-requests.c \
	traces/dumpi-sections.c \
	traces/dumpi-stream.c traces/dumpi-stream.h \
	traces/dumpi-text.c \
	traces/dumpi-trace.c traces/dumpi-trace.h \
	traces/dumpi-version.c \
	traces/dumpi-writer.c

lib_LTLIBRARIES += libdumpitrace.la
include_HEADERS = traces/dumpitrace.h
libdumpitrace_la_SOURCES =
libdumpitrace_la_LDFLAGS = -version-info $(DUMPITRACE_VERSION_INFO) -no-undefined -export-symbols-regex '^dpt_'
libdumpitrace_la_LIBADD = libdumpi.la $(ZLIB_LIBS)
