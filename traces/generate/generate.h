/* Programs made from a formula instead of a recording: the communication skeletons of the NAS Parallel
 * Benchmarks and patterns for studies. A generated program is read through cursors like any other and takes
 * no memory per operation; trace_write (traces/writers/writer.h) makes a trace file of it. Each kernel is one file
 * of this folder and one line in generators.def. */
#ifndef TRACE_GENERATE_H
#define TRACE_GENERATE_H

#include "base/random.h"
#include "traces/program.h"

struct trace_generator_options {
    uint32_t ranks;            /* of the program that is made */
    const char *problem_class; /* "S" … "F"; NULL for a kernel without classes */
    /* Parameters of the kernel, as "key=value" separated by commas ("size=64x64,iterations=10"); NULL: none.
     * `list generators` prints the keys of each kernel. */
    const char *parameters;
    uint64_t flops_per_second; /* of one rank; the compute times are the kernel's operations divided by it */
    uint64_t seed;             /* of kernels with random choices */
};

struct trace_generator {
    const char *name, *summary; /* "cg", a line of help with its parameters */
    const char *classes;        /* the legal ones: "SWABCDEF"; "" without classes */
    /* The program; the caller closes it with trace_close. NULL: no such class, an illegal number of ranks
     * (the sentence names legal ones), wrong parameters (BASE_USAGE), no memory (BASE_SYSTEM). */
    struct trace_program *(*generate)(const struct trace_generator_options *options,
                                      struct base_error *error);
    enum base_chance chance; /* from options->seed, the name's own: --seed of a replay is another */
};

const struct trace_generator *const *trace_generators(size_t *count);
/* NULL: unknown, with the nearest match and the list (BASE_USAGE). */
const struct trace_generator *trace_generator_find(const char *name, struct base_error *error);

/* "generate:cg,class=S,ranks=16": the program of such a name. Common keys are class, ranks, gflops (1 by default) and
 * seed; others are the generator's parameters. NULL as above. */
struct trace_program *trace_generate_open(const char *path, struct base_error *error);

#endif
