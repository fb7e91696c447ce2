/* What launchers tell the processes that they start, before any of them speaks MPI. */
/* Asked so that a comparison that nobody has launched does not begin MPI, which takes a good part of a
 * second, and so that many copies of a program that cannot speak to each other do not all do the same work.
 */
#include <config.h>

#include "replay/system/world.h"

#include <stdlib.h>
#include <time.h>

#include "base/units.h"

#define NAP_SHORTEST_NS 50000
#define NAP_DOUBLINGS 7 /* 6.4 ms at most: nothing beside a run, and no load */

/* Each line a launcher, in the order in which they are believed: srun sets variables of its own beside those
 * of the interface that it offers. */
static const struct launcher {
    const char *rank, *size;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* Open MPI's mpirun */
    {"PMI_RANK", "PMI_SIZE"},                         /* MPICH's mpiexec and its kin; srun --mpi=pmi2 */
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},            /* srun --mpi=pmix, prun */
};

/* A variable that is not there, or is no number, is 0. */
static uint32_t number_of(const char *name)
{
    const char *text = getenv(name);
    uint64_t number = 0;

    return text != NULL && base_parse_unsigned(text, UINT32_MAX, &number) == 0 ? (uint32_t)number : 0;
}

/* The first launcher of the table whose rank is set counts; without any this process is alone. */
bool replay_world_launched(uint32_t *rank, uint32_t *size)
{
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        if (getenv(launchers[i].rank) == NULL)
            continue;
        *rank = number_of(launchers[i].rank);
        *size = number_of(launchers[i].size);
        return true;
    }
    return false;
}

/* MPI's own waiting would spin, and take a processor from a thread that works. */
void replay_world_nap(uint32_t *naps)
{
    struct timespec nap = {.tv_nsec = NAP_SHORTEST_NS << (*naps < NAP_DOUBLINGS ? *naps : NAP_DOUBLINGS)};

    nanosleep(&nap, NULL);
    *naps += 1;
}
