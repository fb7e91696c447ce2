/* Inside netmodel/faults/: a set of faults while it is read. */
#ifndef NET_FAULTS_INTERNAL_H
#define NET_FAULTS_INTERNAL_H

#include "netmodel/faults/faults.h"

/* So many cables by chance: drawn when all that are named are known. */
struct net_faults_draw {
    uint64_t cycle, seed;
    uint32_t count;
    struct base_position where; /* of the words that ask for it; no line: the option itself */
};

struct net_faults_list {
    struct net_faults *faults;
    uint64_t clock_khz, seed; /* seed: of draws that name none */
    uint64_t *dies;           /* [cable] */
    struct base_arena *arena; /* of the lists below */
    struct net_faults_draw *draws;
    uint32_t draw_count;
    size_t draw_room;
};

/* The file's lines into the list. -1: BASE_INPUT, or memory. */
int net_faults_read(struct net_faults_list *list, const struct base_input *input, struct base_error *error);

#endif
