/* Hotspot: a share of all messages goes to a few hot terminals, the rest is uniform (Pfister and Norton
 * 1985).
 *
 * With probability `fraction` a message goes to one of the `terminals` hot ones, all equally likely, else to
 * any other terminal, hot ones included. Hot terminal i of h among N is (2i + 1) N / (2h), rounded down: they
 * are spread evenly over the numbers. A hot terminal draws among the other hot ones; the only hot one sends
 * uniformly. */
#include "base/random.h"
#include "netmodel/traffic/pattern.h"
#include "netmodel/specification.h"

/* In the middle of the i-th of h equal parts. The product is taken in 64 bits: both factors may be large. */
static uint32_t hot_terminal(const struct net_pattern *pattern, uint32_t i)
{
    return (uint32_t)((2 * (uint64_t)i + 1) * pattern->terminals / (2 * (uint64_t)pattern->hot));
}

/* One hot terminal and a tenth of the traffic, if nothing is said. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t hot = 1;

    pattern->threshold = UINT64_MAX / 10;
    if (net_specification_unsigned(specification, "terminals", 1, pattern->terminals, &hot, error) != 0 ||
        net_pattern_probability(specification, "fraction", &pattern->threshold, error) != 0)
        return -1;
    pattern->hot = (uint32_t)hot;
    return 0;
}

/* The number of the source among the hot ones, or `hot`. Rounding down may have moved it one place. */
static uint32_t own_number(const struct net_pattern *pattern, uint32_t source)
{
    uint32_t guess = (uint32_t)((uint64_t)source * pattern->hot / pattern->terminals);

    for (; guess < pattern->hot && hot_terminal(pattern, guess) <= source; guess++)
        if (hot_terminal(pattern, guess) == source)
            return guess;
    return pattern->hot;
}

/* Whether the message is a hot one, and to whom it goes, are two draws. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    uint32_t own = own_number(pattern, source), others = pattern->hot - (own < pattern->hot);
    uint32_t drawn;

    (void)state;
    if (others == 0 || base_hash(key, 1) >= pattern->threshold)
        return net_pattern_other(pattern, source, key);
    drawn = base_scale(key, others);
    return hot_terminal(pattern, drawn + (drawn >= own));
}

static const char *const keys[] = {"fraction", "terminals", NULL};

const struct net_pattern_kind net_pattern_hotspot = {
    .name = "hotspot",
    .chance = BASE_DRAWS,
    .summary = "a fraction (0.1) of all messages goes to a few hot terminals (1), the rest is uniform",
    .parameters = "[,fraction=F,terminals=N]",
    .keys = keys,
    .prepare = prepare,
    .target = target,
};
