/* Port numbers of an arbitrary graph. A link has one number for the port that it leaves by and the input that
 * it enters by, so links that meet at either end need different ones: a colouring of the edges of a bipartite
 * graph, the outgoing sides of routers against the incoming ones. König's theorem: as many colours as the
 * largest degree do, and a link that finds no common free colour gets one by swapping two colours along the
 * path that alternates between them. */
#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/graph.h"

struct colouring {
    uint32_t colours;
    uint32_t *at[2]; /* [side][router * colours + colour]: link, or NET_NONE; 0 outgoing, 1 incoming */
    uint32_t (*ends)[2];
    uint32_t *colour; /* [link] */
};

/* Links out and links in are counted apart: a router of three links each way needs three numbers, not six. */
static uint32_t largest_degree(uint32_t routers, uint32_t links, uint32_t (*ends)[2], uint32_t *degrees)
{
    uint32_t largest = 0;
    memset(degrees, 0, 2 * (size_t)routers * sizeof *degrees);
    for (uint32_t i = 0; i < links; i++)
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t degree = ++degrees[(size_t)side * routers + ends[i][side]];
            largest = degree > largest ? degree : largest;
        }
    return largest;
}

/* Which link has a colour at one side of a router. */
static uint32_t *slot(const struct colouring *colouring, uint32_t side, uint32_t router, uint32_t colour)
{
    return &colouring->at[side][(size_t)router * colouring->colours + colour];
}

/* The lowest colour that no link at this side of the router has. There is one: the link itself is not there.
 */
static uint32_t free_colour(const struct colouring *colouring, uint32_t side, uint32_t router)
{
    uint32_t colour = 0;
    while (*slot(colouring, side, router, colour) != NET_NONE)
        colour++;
    return colour;
}

/* Both ends of a link know its colour. */
static void paint(struct colouring *colouring, uint32_t link, uint32_t colour)
{
    colouring->colour[link] = colour;
    for (uint32_t side = 0; side < 2; side++)
        *slot(colouring, side, colouring->ends[link][side], colour) = link;
}

/* Frees `wanted` at the incoming side of a router by giving its link the colour `other`, which is free there,
 * and so on at the other ends in turn. The path never comes back to where the new link starts, where `wanted`
 * is free: it arrives at outgoing sides only by `wanted`. */
static void swap_along(struct colouring *colouring, uint32_t router, uint32_t wanted, uint32_t other)
{
    uint32_t side = 1, link = *slot(colouring, side, router, wanted);
    uint32_t from = wanted, to = other;
    *slot(colouring, side, router, wanted) = NET_NONE;
    while (link != NET_NONE) {
        uint32_t far = !side, end = colouring->ends[link][far];
        uint32_t next = *slot(colouring, far, end, to);
        if (*slot(colouring, far, end, from) == link)
            *slot(colouring, far, end, from) = NET_NONE;
        paint(colouring, link, to);
        link = next;
        side = far;
        uint32_t swapped = from;
        from = to;
        to = swapped;
    }
}

/* In the order of the file, each link by the lowest colour that is free where it starts: files in a
 * regular order get regular ports, and swaps are rare. Memory: two tables of routers times colours. Time: a swap
 * follows one path, of as many links as there are routers at most. */
uint32_t net_graph_number_ports(uint32_t routers, uint32_t links, uint32_t (*ends)[2], uint32_t *ports)
{
    struct colouring colouring = {.ends = ends, .colour = ports};
    uint32_t *degrees = calloc(2 * (size_t)routers + 1, sizeof *degrees);
    if (degrees == NULL)
        return 0;
    colouring.colours = largest_degree(routers, links, ends, degrees);
    free(degrees);
    if (colouring.colours == 0)
        colouring.colours = 1;
    size_t slots = (size_t)routers * colouring.colours;
    colouring.at[0] = malloc(2 * slots * sizeof *colouring.at[0]);
    if (colouring.at[0] == NULL)
        return 0;
    colouring.at[1] = colouring.at[0] + slots;
    memset(colouring.at[0], 0xff, 2 * slots * sizeof *colouring.at[0]);
    for (uint32_t link = 0; link < links; link++) {
        uint32_t wanted = free_colour(&colouring, 0, ends[link][0]);
        uint32_t other = free_colour(&colouring, 1, ends[link][1]);
        if (*slot(&colouring, 1, ends[link][1], wanted) != NET_NONE)
            swap_along(&colouring, ends[link][1], wanted, other);
        paint(&colouring, link, wanted);
    }
    free(colouring.at[0]);
    return colouring.colours;
}
