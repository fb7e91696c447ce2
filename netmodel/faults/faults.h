/* Links that fail: which ones, and when. Both directions of a cable fail at once and for good; routers never fail (the
 * king thesis, section 3.4). The set is given in one of two forms:
 *
 *      8            8,seed=3                eight cables by chance, dead from the start; all sets are equally likely
 *      FILE         a line a fault, blanks between words, '#' begins a comment:
 *
 *          0      (3,4) X+                  cycle, router, port
 *          250ns  (3,4)-(4,4)               nanoseconds; two routers (of parallel links the first that is left)
 *          random 3 at 5000                 so many by chance, of those that no other line names; … seed=S at the end
 *
 * What names no seed of its own is drawn from that of the run: runs of other seeds have other sets then.
 * A router is written as answers name it, or by its number. From its cycle on no header is granted on a dead link; what
 * has crossed by then goes on (doc/faults.md has the model). A set that would cut the network into pieces is refused,
 * with the names of the routers that are cut off: without its last packet a network is no network. */
#ifndef NET_FAULTS_H
#define NET_FAULTS_H

#include "netmodel/faults/cables.h"

#define NET_NEVER UINT64_MAX
#define NET_FAULTS_SEED 1 /* where there is no run, or its seed is not given */

struct net_fault {
    uint64_t cycle; /* from this one on it is dead */
    uint32_t cable;
};

struct net_faults {
    const struct net_topology *topology; /* borrowed */
    struct net_cables cables;
    uint32_t count;
    const struct net_fault *fault; /* by cycle, then by cable */
    const uint64_t *dies;          /* [link]: the cycle of its fault, or NET_NEVER */
    struct base_input_name input;  /* the file, if there is one */
    bool drawn;                    /* another seed of the run may be another set */
    struct base_arena arena;
};

/* The file that the text names; NULL: it is a number. */
const char *net_faults_path(const char *text);
/* Reads the text above for a topology that must outlive the faults; clock_khz: of the network, for nanoseconds. -1: no
 * cables (net_cables_init), a number that there are not, pieces (BASE_USAGE); what a file says wrong, with its line and
 * column (BASE_INPUT); memory. Free in either case. What names no seed is drawn with NET_FAULTS_SEED. */
int net_faults_init(struct net_faults *faults, const struct net_topology *topology, const char *text,
                    uint64_t clock_khz, struct base_error *error);
/* The same in a run of that seed. */
int net_faults_init_seeded(struct net_faults *faults, const struct net_topology *topology, const char *text,
                           uint64_t clock_khz, uint64_t seed, struct base_error *error);
void net_faults_free(struct net_faults *faults);
/* [link]: whether it is dead when all faults have come. In the arena; NULL: memory. */
bool *net_faults_dead(const struct net_faults *faults, struct base_arena *arena);

/* The link of a fault's cable with the lower number: its source and port name the cable. */
static inline const struct net_link *net_fault_link(const struct net_faults *faults, uint32_t fault)
{
    return &faults->topology->links[faults->cables.link[faults->fault[fault].cable]];
}

#endif
