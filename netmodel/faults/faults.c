/* Sets of faults: those that are named, then those that are drawn, then whether the network still hangs together. */
#include "netmodel/faults/faults.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "netmodel/faults/faults-internal.h"
#include "netmodel/specification.h"

#define STREAM 0x666175 /* "fau": draws of faults are unrelated to those of anything else */
#define NAMES_SHOWN 8   /* routers of a piece that a sentence names */

/* Of the cables that nobody has named, `count` by a Fisher-Yates shuffle that ends early: every set is equally likely.
 * Each request has a stream of its own, so that two of them with one seed do not draw alike. */
static int draw(struct net_faults_list *list, const struct net_faults_draw *asked, uint64_t number,
                struct base_error *error)
{
    const struct net_faults *faults = list->faults;
    uint32_t *left = malloc(((size_t)faults->cables.count + 1) * sizeof *left);
    uint32_t count = 0;
    struct base_random random;

    if (left == NULL)
        return base_error_memory(error, "the faults");
    for (uint32_t cable = 0; cable < faults->cables.count; cable++)
        if (list->dies[cable] == NET_NEVER)
            left[count++] = cable;
    base_random_seed(&random, asked->seed, STREAM + number);
    for (uint32_t i = 0; i < asked->count && asked->count <= count; i++) {
        uint32_t other = i + (uint32_t)base_random_below(&random, count - i), chosen = left[other];
        left[other] = left[i];
        list->dies[chosen] = asked->cycle;
    }
    free(left);
    if (asked->count <= count)
        return 0;
    return base_error_at(error, asked->where.line < 0 ? BASE_USAGE : BASE_INPUT, &asked->where,
                         "%u faults, but topology '%s' has %u links both ways%s", asked->count,
                         faults->topology->text, count, count < faults->cables.count ? " left" : "");
}

/* "N" and "N,seed=S" are a request for faults at the start. */
static int read_number(struct net_faults_list *list, const char *text, struct net_faults_draw *request,
                       struct base_error *error)
{
    static const char *const keys[] = {"seed", NULL};
    struct net_specification specification = {0};
    uint64_t count;

    *request = (struct net_faults_draw){.seed = list->seed, .where = base_position_of(NULL)};
    if (net_specification_parse_named(&specification, text, "faults", keys, &list->faults->arena, error) !=
            0 ||
        net_specification_unsigned(&specification, "seed", 0, INT64_MAX, &request->seed, error) != 0)
        return -1;
    if (base_parse_unsigned(specification.kind, UINT32_MAX, &count) != 0)
        return base_error_set(error, BASE_USAGE, "'%.40s' is not a number of faults", text);
    request->count = (uint32_t)count;
    list->faults->drawn = count > 0 && strchr(text, ',') == NULL; /* a seed is all that may follow */
    list->draws = request;
    list->draw_count = 1;
    return 0;
}

/* Digits, and nothing or a comma behind them: a file of such a name is written ./8. */
static bool is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && (text[digits] == '\0' || text[digits] == ',');
}

const char *net_faults_path(const char *text)
{
    return is_number(text) ? NULL : text;
}

/* The name and the hash of the file stay with the faults: they are part of what a result follows from. */
static int read_file(struct net_faults_list *list, const char *path, struct base_error *error)
{
    struct net_faults *faults = list->faults;
    struct base_input input;
    int status;

    if (base_input_open(&input, path) != 0)
        return base_error_system(
            error, errno, "faults %s: neither a number of links (3, or 3,seed=1) nor a file that can be read",
            path);
    faults->input.path = base_arena_text(&faults->arena, path);
    memcpy(faults->input.digest, input.digest, sizeof input.digest);
    status = faults->input.path == NULL ? base_error_memory(error, "the faults")
                                        : net_faults_read(list, &input, error);
    base_input_close(&input);
    return status;
}

static int by_cycle(const void *a, const void *b)
{
    const struct net_fault *one = a, *other = b;
    if (one->cycle != other->cycle)
        return one->cycle < other->cycle ? -1 : 1;
    return one->cable < other->cable ? -1 : one->cable > other->cable;
}

/* From the cycle of each cable to the list in time, and to the cycle of each link. */
static int keep(struct net_faults *faults, const uint64_t *dies, struct base_error *error)
{
    const struct net_cables *cables = &faults->cables;
    struct net_fault *fault = base_arena_array(&faults->arena, (size_t)cables->count + 1, sizeof *fault);
    uint64_t *link_dies =
        base_arena_array(&faults->arena, (size_t)faults->topology->link_count + 1, sizeof *link_dies);

    if (fault == NULL || link_dies == NULL)
        return base_error_memory(error, "the faults");
    for (uint32_t cable = 0; cable < cables->count; cable++) {
        uint32_t link = cables->link[cable];
        link_dies[link] = link_dies[cables->back[link]] = dies[cable];
        if (dies[cable] != NET_NEVER)
            fault[faults->count++] = (struct net_fault){dies[cable], cable};
    }
    qsort(fault, faults->count, sizeof *fault, by_cycle);
    faults->fault = fault;
    faults->dies = link_dies;
    return 0;
}

/* How many routers the first one reaches over links that never fail; seen[router]. queue has room for all. */
static uint32_t reach(const struct net_faults *faults, bool *seen, uint32_t *queue)
{
    const struct net_topology *topology = faults->topology;
    uint32_t count = 1;

    seen[0] = true;
    queue[0] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t l = topology->link_at[(size_t)queue[i] * topology->ports + port];
            if (l == NET_NONE || faults->dies[l] != NET_NEVER || seen[topology->links[l].target])
                continue;
            seen[topology->links[l].target] = true;
            queue[count++] = topology->links[l].target;
        }
    return count;
}

/* The smaller side is the one that is cut off, in the eyes of whoever reads it. */
static int name_pieces(const struct net_faults *faults, const bool *seen, uint32_t reached,
                       struct base_error *error)
{
    const struct net_topology *topology = faults->topology;
    bool side = reached <= topology->routers / 2;
    uint32_t count = side ? reached : topology->routers - reached, shown = 0;
    char name[NET_NAME_TEXT];

    base_error_set(error, faults->input.path != NULL ? BASE_INPUT : BASE_USAGE, "%s%sthe faults cut off",
                   faults->input.path != NULL ? faults->input.path : "",
                   faults->input.path != NULL ? ": " : "");
    for (uint32_t router = 0; router < topology->routers && shown < NAMES_SHOWN; router++)
        if (seen[router] == side)
            base_error_append(error, "%s %s", shown++ > 0 ? "," : "",
                              net_router_name(topology, router, name));
    if (count > shown)
        base_error_append(error, " and %u more", count - shown);
    base_error_append(error, " from the rest of topology '%s'", topology->text);
    return -1;
}

/* Faults are for good, so what holds together in the end has held together all the time. */
static int check_pieces(const struct net_faults *faults, struct base_error *error)
{
    uint32_t routers = faults->topology->routers;
    uint32_t reached;
    bool *seen = calloc((size_t)routers + 1, sizeof *seen);
    uint32_t *queue = malloc(((size_t)routers + 1) * sizeof *queue);
    int status = 0;

    if (seen == NULL || queue == NULL)
        status = base_error_memory(error, "the faults");
    else if ((reached = reach(faults, seen, queue)) < routers)
        status = name_pieces(faults, seen, reached, error);
    free(seen);
    free(queue);
    return status;
}

/* Draws come after all lines that name a cable, so that no line is refused for what chance took before. */
static int fill(struct net_faults_list *list, const char *text, struct base_error *error)
{
    struct net_faults *faults = list->faults;
    struct net_faults_draw request;
    int status = is_number(text) ? read_number(list, text, &request, error) : read_file(list, text, error);

    for (uint32_t i = 0; i < list->draw_count && status == 0; i++)
        status = draw(list, &list->draws[i], i, error);
    if (list->draws != &request)
        free(list->draws);
    if (status != 0 || keep(faults, list->dies, error) != 0)
        return -1;
    return check_pieces(faults, error);
}

int net_faults_init(struct net_faults *faults, const struct net_topology *topology, const char *text,
                    uint64_t clock_khz, struct base_error *error)
{
    return net_faults_init_seeded(faults, topology, text, clock_khz, NET_FAULTS_SEED, error);
}

int net_faults_init_seeded(struct net_faults *faults, const struct net_topology *topology, const char *text,
                           uint64_t clock_khz, uint64_t seed, struct base_error *error)
{
    struct net_faults_list list = {.faults = faults, .clock_khz = clock_khz, .seed = seed};
    int status = -1;

    *faults = (struct net_faults){.topology = topology};
    if (net_cables_init(&faults->cables, topology, error) != 0)
        return -1;
    list.dies = malloc(((size_t)faults->cables.count + 1) * sizeof *list.dies);
    if (list.dies == NULL)
        return base_error_memory(error, "the faults");
    for (uint32_t cable = 0; cable < faults->cables.count; cable++)
        list.dies[cable] = NET_NEVER;
    status = fill(&list, text, error);
    free(list.dies);
    return status;
}

void net_faults_free(struct net_faults *faults)
{
    net_cables_free(&faults->cables);
    base_arena_free(&faults->arena);
}

bool *net_faults_dead(const struct net_faults *faults, struct base_arena *arena)
{
    bool *dead = base_arena_array(arena, (size_t)faults->topology->link_count + 1, sizeof *dead);

    for (uint32_t link = 0; link < faults->topology->link_count && dead != NULL; link++)
        dead[link] = faults->dies[link] != NET_NEVER;
    return dead;
}
