# The room traces/: one convenience library.
noinst_LTLIBRARIES += libtraces.la
libtraces_la_SOURCES =
libtraces_la_SOURCES += traces/program.c traces/program.h traces/program-internal.h traces/hash.c traces/hash.h traces/collectives.def
libtraces_la_SOURCES += traces/generate/generate.h traces/joined.h traces/joined.c traces/writers/writer.h
# What is wrong with a trace.
libtraces_la_SOURCES += traces/doctor/defect.c traces/doctor/defect.h \
	traces/doctor/doctor.c traces/doctor/collectives.c traces/doctor/messages.c traces/doctor/doctor.h traces/doctor/internal.h
libtraces_la_SOURCES += tests/traces/memory.c tests/traces/memory.h
libtraces_la_SOURCES += traces/communicators/implied.c traces/communicators/implied.h
libtraces_la_SOURCES += traces/communicators/communicators.c traces/communicators/communicators.h traces/communicators/internal.h \
	traces/communicators/kinds.c \
	traces/communicators/lists.c \
	traces/communicators/resolve.c
libtraces_la_SOURCES += traces/open.c traces/format.h traces/kinds.def traces/grow.h \
	traces/otf2-archive/files.c traces/otf2-archive/files.h \
	traces/otf2/format.c \
	traces/otf2-archive/anchor.c traces/otf2-archive/anchor.h \
	traces/otf2-archive/archive.c traces/otf2-archive/archive.h \
	traces/otf2/callers.c traces/otf2/callers.h \
	traces/otf2-archive/chunks.c traces/otf2-archive/chunks.h \
	traces/otf2-archive/calls.c traces/otf2-archive/calls.h traces/otf2-archive/calls.def \
	traces/otf2-archive/collect.c traces/otf2-archive/collect.h \
	traces/otf2/decoder.c traces/otf2/decoder.h \
	traces/otf2-archive/definitions.c traces/otf2-archive/definitions.h \
	traces/otf2-archive/events.c traces/otf2-archive/events.h traces/otf2-archive/events.def \
	traces/otf2/groups.c traces/otf2/groups.h \
	traces/otf2/agreement.c traces/otf2/channels.c traces/otf2/guesses.c traces/otf2/repair.h \
	traces/otf2/exceptions.c \
	traces/otf2-archive/identifiers.c traces/otf2-archive/identifiers.h \
	traces/otf2/messages.c traces/otf2/collectives.c traces/otf2/creations.c traces/otf2/windows.c \
	traces/otf2/queue.c traces/otf2/queue.h \
	traces/otf2-archive/records.c traces/otf2-archive/records.h \
	traces/otf2/report.c traces/otf2/report.h traces/otf2/repairs.def \
	traces/otf2/requests.c traces/otf2/requests.h \
	traces/otf2/sizes.c traces/otf2/sizes.h \
	traces/otf2/stream.c traces/otf2/stream.h \
	traces/otf2/survey.c traces/otf2/survey.h \
	traces/otf2/tables.h \
	traces/otf2/vectors.c traces/otf2/vectors.h

# DUMPI as a trace format, on top of the library below.
libtraces_la_SOURCES += \
	traces/dumpi/active.c traces/dumpi/active.h \
	traces/dumpi/calls.c traces/dumpi/calls.def traces/dumpi/handlers.h \
	traces/dumpi/creations.c traces/dumpi/creations.h \
	traces/dumpi/find.c traces/dumpi/find.h \
	traces/dumpi/format.c \
	traces/dumpi/program.c traces/dumpi/program.h \
	traces/dumpi/program-clock.c \
	traces/dumpi/program-collectives.c \
	traces/dumpi/program-groups.c \
	traces/dumpi/program-implied.c \
	traces/dumpi/program-messages.c \
	traces/dumpi/program-receives.c \
	traces/dumpi/program-waits.c \
	traces/dumpi/queue.c traces/dumpi/queue.h \
	traces/dumpi/repairs.def \
	traces/dumpi/report.c \
	traces/dumpi/sizes.c \
	traces/dumpi/survey.c traces/dumpi/survey.h \
	traces/processor-loss.c traces/processor-loss.h
libtraces_la_LIBADD = libdumpi.la $(ZLIB_LIBS)

# Collectives and the communication graph.
libtraces_la_SOURCES += \
	traces/collectives/collective.c traces/collectives/collective.h traces/collectives/kinds.def \
	traces/collectives/parts.h \
	traces/collectives/steps.c traces/collectives/steps.h \
	traces/collectives/trees.c traces/collectives/trees.h \
	traces/collectives/allgather-bruck.c \
	traces/collectives/allgather-neighbor-exchange.c \
	traces/collectives/allgather-direct.c \
	traces/collectives/allgather-nonoverlapping.c \
	traces/collectives/allgather-recursive-doubling.c \
	traces/collectives/allgather-ring.c \
	traces/collectives/allgatherv-ring.c \
	traces/collectives/allreduce-allgather-reduce.c \
	traces/collectives/allreduce-nonoverlapping.c \
	traces/collectives/allreduce-rabenseifner.c \
	traces/collectives/allreduce-rabenseifner-pairs.c \
	traces/collectives/allreduce-recursive-doubling.c \
	traces/collectives/allreduce-ring.c \
	traces/collectives/alltoall-bruck.c \
	traces/collectives/alltoall-linear-sync.c \
	traces/collectives/alltoall-linear.c \
	traces/collectives/alltoall-pairwise-ring.c \
	traces/collectives/alltoall-pairwise.c \
	traces/collectives/alltoall-scattered.c \
	traces/collectives/barrier-double-ring.c \
	traces/collectives/barrier-linear.c \
	traces/collectives/barrier-recursive-doubling.c \
	traces/collectives/barrier-tree.c \
	traces/collectives/bcast-binary.c \
	traces/collectives/bcast-binomial.c \
	traces/collectives/bcast-chain.c \
	traces/collectives/bcast-doubling.c \
	traces/collectives/bcast-k-nomial.c \
	traces/collectives/bcast-libnbc.c \
	traces/collectives/bcast-linear.c \
	traces/collectives/bcast-pipeline.c \
	traces/collectives/bcast-scatter-doubling.c \
	traces/collectives/bcast-scatter-ring.c \
	traces/collectives/bcast-split-binary.c \
	traces/collectives/dissemination.c \
	traces/collectives/hardware.c traces/collectives/selection-hardware.c \
	traces/collectives/gather-binomial.c \
	traces/collectives/gather-linear-sync.c \
	traces/collectives/gather-linear.c \
	traces/collectives/gatherv-linear.c \
	traces/collectives/inter-leaders.c \
	traces/collectives/inter-linear.c \
	traces/collectives/inter-pairwise.c \
	traces/collectives/reduce-binary.c \
	traces/collectives/reduce-binomial.c \
	traces/collectives/reduce-chain.c \
	traces/collectives/reduce-in-order-binary.c \
	traces/collectives/reduce-k-nomial.c \
	traces/collectives/reduce-libnbc.c \
	traces/collectives/libnbc-parts.c \
	traces/collectives/reduce-linear.c \
	traces/collectives/reduce-pipeline.c \
	traces/collectives/reduce-rabenseifner.c \
	traces/collectives/reduce-scatter-butterfly.c \
	traces/collectives/reduce-scatter-halving.c \
	traces/collectives/reduce-scatter-nonoverlapping.c \
	traces/collectives/reduce-scatter-pairwise.c \
	traces/collectives/reduce-scatter-recursive-doubling.c \
	traces/collectives/reduce-scatter-ring.c \
	traces/collectives/scan-linear.c \
	traces/collectives/scan-recursive-doubling.c \
	traces/collectives/scatter-binomial.c \
	traces/collectives/scatter-linear-nb.c \
	traces/collectives/scatter-linear.c \
	traces/collectives/scatterv-linear.c \
	traces/graph/expansion.c traces/graph/expansion.h \
	traces/graph/graph.c traces/graph/graph.h \
	traces/graph/walk.c traces/graph/walk.h \
	traces/collectives/rounds.c traces/collectives/rounds.h \
	traces/collectives/selection-mpich.c traces/collectives/selection-openmpi.c traces/collectives/selection-openmpi-classic.c \
	traces/collectives/selection-libnbc.c traces/collectives/selection-linear.c traces/collectives/selection-binomial.c traces/collectives/selections.def \
	traces/collectives/selection-rules.c traces/collectives/selection-rules.h

# Programs as trace files.
libtraces_la_SOURCES += \
	traces/writers/writer.c traces/writers/internal.h traces/writers/writers.def traces/writers/losses.def \
	traces/writers/base.c traces/writers/place.c traces/writers/requests.c \
	traces/writers/otf2.c traces/writers/otf2.h traces/writers/otf2-calls.c traces/writers/otf2-definitions.c traces/writers/otf2-metrics.c \
	traces/writers/otf2-memory.c \
	traces/writers/dumpi.c traces/writers/dumpi.h traces/writers/dumpi-collectives.c \
	traces/writers/dumpi-communicators.c traces/writers/dumpi-plan.c \
	traces/writers/goal.c

# GOAL as a trace format.
libtraces_la_SOURCES += \
	traces/goal/format.c traces/goal/program.h \
	traces/goal/survey.c \
	traces/goal/cursor.c \
	traces/goal/block.c traces/goal/block.h \
	traces/goal/graph.c traces/goal/graph.h \
	traces/goal/order.c traces/goal/names.c \
	traces/goal/labels.c traces/goal/labels.h \
	traces/goal/text.c traces/goal/text.h

# Programs made from formulas: the framework, then a file a kernel.
libtraces_la_SOURCES += \
	traces/generate/generate.c traces/generate/internal.h traces/generate/generators.def \
	traces/generate/skeleton.c \
	traces/generate/survey.c traces/generate/survey.h \
	traces/generate/cg.c \
	traces/generate/dt.c \
	traces/generate/ep.c \
	traces/generate/exchange.c \
	traces/generate/ft.c \
	traces/generate/is.c \
	traces/generate/lu.c \
	traces/generate/mg.c \
	traces/generate/multipartition.c \
	traces/generate/open.c \
	traces/generate/stencil.c \
	traces/generate/wavefront.c

# The DUMPI reader and writer: a library of its own, which uses nothing of the others. Tests and the rooms link with the
# convenience library, others with the installed one, which shows dpt_* only.
noinst_LTLIBRARIES += libdumpi.la
libdumpi_la_SOURCES = traces/dumpitrace/dumpitrace.h traces/dumpitrace/functions.def \
	traces/dumpitrace/datatypes.c \
	traces/dumpitrace/decode.c \
	traces/dumpitrace/error.c traces/dumpitrace/error.h \
	traces/dumpitrace/input.c traces/dumpitrace/input.h \
	traces/dumpitrace/layout.c traces/dumpitrace/layout.h \
	traces/dumpitrace/pool.c traces/dumpitrace/pool.h \
	traces/dumpitrace/requests.c \
	traces/dumpitrace/sections.c \
	traces/dumpitrace/stream.c traces/dumpitrace/stream.h \
	traces/dumpitrace/text.c \
	traces/dumpitrace/trace.c traces/dumpitrace/trace.h \
	traces/dumpitrace/version.c \
	traces/dumpitrace/writer.c

lib_LTLIBRARIES += libdumpitrace.la
include_HEADERS = traces/dumpitrace/dumpitrace.h
libdumpitrace_la_SOURCES =
libdumpitrace_la_LDFLAGS = -version-info $(DUMPITRACE_VERSION_INFO) -no-undefined -export-symbols-regex '^dpt_'
libdumpitrace_la_LIBADD = libdumpi.la $(ZLIB_LIBS)
