# Benchmarks: built by `make bench` only, never timed by a test.
EXTRA_PROGRAMS += tests/bench/bench-network
tests_bench_bench_network_SOURCES = tests/bench/bench-network.c
tests_bench_bench_network_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS)
EXTRA_PROGRAMS += tests/bench/bench-replay
tests_bench_bench_replay_SOURCES = tests/bench/bench-replay.c
tests_bench_bench_replay_LDADD = tests/traces/libmemory.la $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS)
EXTRA_DIST += tests/bench/run
# Run by doc/reproduce/faults-on-rings, not timed; the tests try that.
check_PROGRAMS += tests/bench/bench-rings
tests_bench_bench_rings_SOURCES = tests/bench/bench-rings.c
tests_bench_bench_rings_LDADD = libnetmodel.la libbase.la $(XXHASH_LIBS)
EXTRA_PROGRAMS += tests/bench/bench-dumpi
tests_bench_bench_dumpi_SOURCES = tests/bench/bench-dumpi.c
tests_bench_bench_dumpi_LDADD = $(FLITREPLAY_ROOMS) $(FLITREPLAY_LIBS) $(ZLIB_LIBS)
EXTRA_PROGRAMS += tests/bench/bench-otf2
tests_bench_bench_otf2_SOURCES = tests/bench/bench-otf2.c
tests_bench_bench_otf2_LDADD = libtraces.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS)
EXTRA_PROGRAMS += tests/bench/bench-mappers
tests_bench_bench_mappers_SOURCES = tests/bench/bench-mappers.c tests/mappers/searches/qap.h
tests_bench_bench_mappers_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) $(XXHASH_LIBS) -lpthread
CLEANFILES += $(EXTRA_PROGRAMS)

.PHONY: bench
bench: tests/bench/bench-network$(EXEEXT) tests/bench/bench-replay$(EXEEXT) tests/bench/bench-dumpi$(EXEEXT) \
       tests/bench/bench-otf2$(EXEEXT)
	@bench_network=./tests/bench/bench-network$(EXEEXT) $(srcdir)/tests/bench/run
	@./tests/bench/bench-replay$(EXEEXT) ideal:64 3000
	@./tests/bench/bench-replay$(EXEEXT) mesh:8x8 3000
	@./tests/bench/bench-dumpi$(EXEEXT)
	@./tests/bench/bench-otf2$(EXEEXT)
# Studied by doc/reproduce/partitions, not timed.
EXTRA_PROGRAMS += tests/bench/bench-allocators
tests_bench_bench_allocators_SOURCES = tests/bench/bench-allocators.c
tests_bench_bench_allocators_LDADD = libmappers.la libtraces.la libnetmodel.la libbase.la $(OTF2_LIBS) \
	$(XXHASH_LIBS) -lm
