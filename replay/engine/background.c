/* Background traffic: sources that are fed into somebody else's network. */
#include "replay/engine/background.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/heap.h"

struct source {
    struct net_traffic_message next; /* cycles count from the start */
    uint32_t outstanding;            /* messages in front of the terminal's injectors */
    bool is_held;                    /* next is due and waits for room there; else it is in the heap */
};

struct replay_background {
    struct replay_background_options options;
    struct net_topology *terminals; /* an ideal network of as many: what the pattern is over */
    struct net_pattern pattern;
    struct net_traffic generator;
    struct base_heap due;
    struct source *sources; /* [count] */
    struct replay_background_result result;
    bool is_stopped;
};

/* Cycles fit: a message that would come after the end of time never comes. */
static uint64_t cycle_of(const struct replay_background *background, const struct source *source)
{
    uint64_t start = background->options.start_cycle;
    return source->next.cycle > UINT64_MAX - 1 - start ? UINT64_MAX - 1 : start + source->next.cycle;
}

/* The first message of every terminal that sends; those that a permutation leaves where they are never do. */
static int start_sources(struct replay_background *background, struct base_error *error)
{
    background->sources = calloc(background->options.count, sizeof *background->sources);
    if (background->sources == NULL)
        return base_error_memory(error, "background traffic");
    for (uint32_t i = 0; i < background->options.count; i++) {
        if (!net_pattern_sends(&background->pattern, i))
            continue;
        net_traffic_next(&background->generator, i, &background->sources[i].next);
        if (base_heap_push(&background->due, cycle_of(background, &background->sources[i]), i) != 0)
            return base_error_memory(error, "background traffic");
    }
    return 0;
}

/* An ideal network has terminals and no shape, as the partition has for the pattern. */
static int prepare(struct replay_background *background, struct base_error *error)
{
    const struct replay_background_options *options = &background->options;
    char text[32];

    snprintf(text, sizeof text, "ideal:%" PRIu32, options->count);
    background->terminals = net_topology_new(text, error);
    if (background->terminals == NULL ||
        net_pattern_init(&background->pattern, background->terminals, options->pattern, options->seed,
                         error) != 0 ||
        net_traffic_init(&background->generator, &background->pattern, options->arrivals, &options->lengths,
                         options->load_millionths, options->seed, error) != 0)
        return -1;
    return start_sources(background, error);
}

struct replay_background *replay_background_new(const struct replay_background_options *options,
                                                struct base_error *error)
{
    struct replay_background *background = calloc(1, sizeof *background);

    if (background == NULL) {
        base_error_memory(error, "background traffic");
        return NULL;
    }
    background->options = *options;
    if (prepare(background, error) == 0)
        return background;
    replay_background_free(background);
    return NULL;
}

/* Parts that were not made yet are zeros, which their own ends take for nothing. */
void replay_background_free(struct replay_background *background)
{
    if (background == NULL)
        return;
    net_traffic_free(&background->generator);
    net_pattern_free(&background->pattern);
    net_topology_free(background->terminals);
    base_heap_free(&background->due);
    free(background->sources);
    free(background);
}

uint64_t replay_background_due(const struct replay_background *background)
{
    const struct base_event *first = background->is_stopped ? NULL : base_heap_first(&background->due);
    return first == NULL ? UINT64_MAX : first->time;
}

/* The terminal's number within the partition is the tag: a notice needs to say no more. */
static int inject(struct replay_background *background, uint32_t number, struct net_network *network,
                  struct base_error *error)
{
    const struct replay_background_options *options = &background->options;
    struct source *source = &background->sources[number];
    struct net_message message = {.source = options->terminal[number],
                                  .target = options->terminal[source->next.target],
                                  .flits = source->next.flits,
                                  .tag = options->tag | number,
                                  .notice_sent = true};

    source->outstanding++;
    background->result.messages++;
    background->result.flits += message.flits;
    net_traffic_next(&background->generator, number, &source->next);
    return net_network_inject(network, net_network_now(network), &message, error);
}

/* All that is due at one terminal and has room in front of its injectors. Afterwards its next message is in the
 * heap, or held. */
static int feed(struct replay_background *background, uint32_t number, struct net_network *network,
                struct base_error *error)
{
    struct source *source = &background->sources[number];

    source->is_held = false;
    while (cycle_of(background, source) <= net_network_now(network)) {
        source->is_held = source->outstanding >= REPLAY_BACKGROUND_QUEUE * background->options.injectors;
        if (source->is_held)
            return 0;
        if (inject(background, number, network, error) != 0)
            return -1;
    }
    if (base_heap_push(&background->due, cycle_of(background, source), number) != 0)
        return base_error_memory(error, "background traffic");
    return 0;
}

int replay_background_feed(struct replay_background *background, struct net_network *network,
                           struct base_error *error)
{
    struct base_event event;

    while (replay_background_due(background) <= net_network_now(network)) {
        base_heap_pop(&background->due, &event);
        if (feed(background, (uint32_t)event.payload, network, error) != 0)
            return -1;
    }
    return 0;
}

int replay_background_notice(struct replay_background *background, const struct net_notice *notice,
                             struct net_network *network, struct base_error *error)
{
    uint32_t number = (uint32_t)(notice->tag & ~background->options.tag);
    struct source *source = &background->sources[number];

    if (notice->kind != NET_SENT)
        return 0;
    source->outstanding--;
    return source->is_held && !background->is_stopped ? feed(background, number, network, error) : 0;
}

void replay_background_stop(struct replay_background *background, uint64_t cycle)
{
    if (background->is_stopped)
        return;
    background->is_stopped = true;
    if (cycle > background->options.start_cycle)
        background->result.cycles = cycle - background->options.start_cycle;
}

struct replay_background_result replay_background_result(const struct replay_background *background)
{
    return background->result;
}
