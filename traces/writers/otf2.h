/* The OTF2 writer in three files: records (otf2.c), the names of calls (otf2-calls.c) and the
 * global definitions (otf2-definitions.c). */
#ifndef TRACE_WRITER_OTF2_H
#define TRACE_WRITER_OTF2_H

#include <otf2/otf2.h>

#include "traces/writers/internal.h"

/* Regions are numbered so that no table has to be searched for an operation:
 * the spellings of otf2-calls.c, then two for each collective, then those of the program. */
struct trace_write_otf2_regions {
    uint32_t *numbers;  /* [region]: its identifier in the file + 1, given at its first use; 0: not used */
    uint32_t *used;     /* [identifier] */
    uint32_t *spelling; /* [region of the program]: the same name among the spellings, or UINT32_MAX */
    uint32_t count, used_count;
};

struct trace_write_otf2_rank {
    uint64_t events, first_ns, last_ns; /* records written, and the times between which */
};

struct trace_write_otf2 {
    struct trace_writer base; /* first */
    OTF2_Archive *archive;
    OTF2_EvtWriter *events; /* of the rank in progress, or NULL */
    struct trace_write_otf2_regions regions;
    struct trace_write_otf2_rank *ranks;        /* [rank], and one more for the location of metrics */
    const struct trace_writer_metrics *metrics; /* as in the options */
    const struct trace_writer_group *groups;
    uint32_t group_count;   /* 0: ranks belong to no groups */
    bool *windows;          /* [communicator]: one-sided operations on it were written */
    bool from_zero;         /* as in the options */
    uint64_t now_ns;        /* the clock of the rank in progress */
    uint64_t next_internal; /* requests that the program does not have, counted down */
    OTF2_ErrorCode code;    /* the first failure */
    bool ended;             /* the rank's MPI_Finalize has been written */
};

enum { TRACE_WRITE_OTF2_INIT, TRACE_WRITE_OTF2_FINALIZE, TRACE_WRITE_OTF2_WAIT };

/* 0, or -1: memory; what has been made is freed by trace_write_otf2_regions_free in any case. */
int trace_write_otf2_regions_init(struct trace_write_otf2 *writer);
void trace_write_otf2_regions_free(struct trace_write_otf2_regions *regions);
/* The identifier in the file of a spelling. */
uint32_t trace_write_otf2_spelled(struct trace_write_otf2 *writer, uint32_t spelling);
/* The identifier of the region that an operation is written in: the program's own when it means the same,
 * else the plainest call that does. *renamed tells that the program's name is lost. */
uint32_t trace_write_otf2_region_of(struct trace_write_otf2 *writer, const struct trace_op *op,
                                    bool *renamed);
/* Name and role of a region by its identifier in the file. name has room for 64 characters. */
OTF2_RegionRole trace_write_otf2_region_name(const struct trace_write_otf2 *writer, uint32_t number,
                                             char *name);

/* Collects events in a few chunks of memory, and then has them written (otf2-memory.c). */
extern const OTF2_MemoryCallbacks trace_write_otf2_memory;

/* OTF2's code of a collective. */
OTF2_CollectiveOp trace_write_otf2_operation(enum trace_collective collective);

/* Metrics (otf2-metrics.c): how many have room, 0 without any; their location, after all ranks; and what is
 * defined of them behind that location. Strings are numbered from *next on. */
uint8_t trace_write_otf2_metric_count(const struct trace_write_otf2 *writer);
OTF2_ErrorCode trace_write_otf2_metrics(struct trace_write_otf2 *writer);
OTF2_ErrorCode trace_write_otf2_metric_definitions(const struct trace_write_otf2 *writer,
                                                   OTF2_GlobalDefWriter *file, OTF2_StringRef *next);

/* After all ranks: writes the global definitions. */
OTF2_ErrorCode trace_write_otf2_definitions(struct trace_write_otf2 *writer);

#endif
