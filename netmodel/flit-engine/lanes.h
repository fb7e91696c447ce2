/* Flits of a narrow router all at once: wormhole with links alike and round robin, for routers of at most 16 drivers
 * and outputs on processors that permute bytes (AVX2).
 *
 * What a flit changes, when it is neither its packet's header nor its tail, are numbers: flits in a buffer, places seen
 * upstream, flits left of a packet. They are bytes here, a lane for each driver or output of a router, so that a cycle
 * of a router is a few operations on all of them, whichever move. Headers and tails, one of each a packet and hop, go
 * the way of the other routers (heads.h).
 *
 *      pending of cycle t ──► count, room ──► ready ──► one channel of each link ──► pending of t + link, t + credit
 *                 who arrives, who has a place        permuted: whose driver has a flit, who holds it
 *
 * Links join equal numbers (rule of connect_link), so that what crosses is one bit in the next router's mask. */
#ifndef NET_FLIT_ENGINE_LANES_H
#define NET_FLIT_ENGINE_LANES_H

#include "base/error.h"
#include "netmodel/flit-engine/sets.h"

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && NET_FLIT_WORDS == 1
#define NET_FLIT_HAS_ROWS 1
#else
#define NET_FLIT_HAS_ROWS 0
#endif
#define NET_FLIT_LANES 16
#define NET_FLIT_LANE_NONE 0x80 /* no driver, no output: a lane that permuting makes zero */
#define NET_FLIT_LANE_FLITS_MAX 255
#define NET_FLIT_LANE_CYCLES_MAX 15     /* of links and credits */
#define NET_FLIT_LANE_ROUTERS_MAX 16384 /* a word for 64 is looked at in each cycle */

struct net_flit_engine;

struct net_flit_lanes {              /* of a router; whole cache lines */
    uint8_t count[NET_FLIT_LANES];   /* [driver] flits in the buffer; injector: of the packet that it sends */
    uint8_t room[NET_FLIT_LANES];    /* [output] places seen to be free; ejection channels always have one */
    uint8_t left[NET_FLIT_LANES];    /* [output] of its packet: flits that have not crossed */
    uint8_t driver[NET_FLIT_LANES];  /* [output] that holds it */
    uint8_t held[NET_FLIT_LANES];    /* [driver] by its packet */
    uint8_t pointer[NET_FLIT_LANES]; /* [port] of links of three channels and more (rule 9) */
    uint32_t turn;                   /* the same of two channels: where it is 1, by the number of the first */
    uint32_t fresh;                  /* outputs whose header has not crossed */
    uint32_t next[NET_FLIT_LANES];   /* [output] the router behind the link */
    uint32_t before[NET_FLIT_LANES]; /* [driver] and that before it */
} __attribute__((aligned(64)));

/* What is to be done in a cycle. pending: drivers that get a flit, and above them outputs that are seen to have one
 * more place. */
struct net_flit_due {
    uint32_t *pending; /* [router] */
    uint64_t *listed;  /* routers that have something to do, as bits */
};
#define NET_FLIT_PLACES NET_FLIT_LANES /* first bit of places */

struct net_flit_rows {            /* of a network */
    struct net_flit_lanes *lanes; /* [router] */
    struct net_flit_due *due;     /* [mask + 1] by cycle */
    uint32_t mask, words;         /* words: of a cycle's list */
    uint32_t ahead;               /* 1 while routers run: what is to be done is for the next cycle */
    uint32_t links;               /* outputs and drivers of links, as bits */
    uint32_t latest;              /* cycles of the longest latency */
    uint64_t busy;                /* cycles before it may have something listed */
};

#if NET_FLIT_HAS_ROWS
/* Whether an engine that is built in all else may work so, on this processor. */
bool net_flit_rows_serve(const struct net_flit_engine *engine);
/* For an engine whose links are connected. -1: memory; net_flit_rows_free is legal even then. */
int net_flit_rows_init(struct net_flit_engine *engine);
void net_flit_rows_free(struct net_flit_engine *engine);
/* As net_flit_engine_advance. */
int net_flit_rows_advance(struct net_flit_engine *engine, uint64_t limit, struct base_error *error);
/* Adds flits on links, and places that are on their way back. */
void net_flit_rows_tally(const struct net_flit_engine *engine, uint64_t *on_wires, uint64_t *places);
#else
static inline bool net_flit_rows_serve(const struct net_flit_engine *engine)
{
    (void)engine;
    return false;
}
#define net_flit_rows_init(engine) ((void)(engine), 0)
#define net_flit_rows_free(engine) ((void)(engine))
#define net_flit_rows_advance(engine, limit, error) ((void)(engine), (void)(limit), (void)(error), -1)
#define net_flit_rows_tally(engine, on_wires, places) ((void)(engine), (void)(on_wires), (void)(places))
#endif

/* The router gets something in that cycle, which is at most a latency ahead; or has only something to do. */
static inline void net_flit_due_add(const struct net_flit_due *due, uint32_t router, uint32_t what)
{
    due->pending[router] |= what;
    due->listed[router / 64] |= UINT64_C(1) << router % 64;
}

static inline void net_flit_rows_list(struct net_flit_rows *rows, uint32_t router, uint64_t cycle)
{
    net_flit_due_add(&rows->due[cycle & rows->mask], router, 0);
    rows->busy = rows->busy > cycle ? rows->busy : cycle + 1;
}

#endif
