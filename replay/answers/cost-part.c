/* flitreplay cost --router ports=P,bits=B,vcs=V,buffers=F: what a technology says of one router; --link
 * length=MM,bits=B: of one link. Nothing else is asked: no network, no layout. */
#include "replay/answers/cost-part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/units.h"
#include "replay/answers/answer.h"
#include "replay/session/costs.h"
#include "replay/system/host.h"
#include "reports/cost/part.h"

#define WIDTH 80
#define COUNT_MAX 1000000
#define WORD_MAX 32
#define KEYS 5

/* The keys of a shape, in the order of `keys`. */
enum shape_key { KEY_PORTS, KEY_BITS, KEY_VCS, KEY_BUFFERS, KEY_LENGTH };
static const char *const keys[KEYS] = {"ports", "bits", "vcs", "buffers", "length"};

struct shape {
    const char *option; /* for errors */
    unsigned known;     /* mask of keys that it may have */
    unsigned given;
    uint64_t value[KEYS]; /* of the length in millionths */
};

/* The contents of the answer. */
struct study {
    struct report_cost_part part;
    struct net_technology *technology; /* owned */
    struct base_arena arena;           /* of the inputs */
};

static const struct report_cost_part *part_of(const void *content)
{
    const struct study *study = content;
    return &study->part;
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_cost_part_text(part_of(content), stream, WIDTH, error))
REPLAY_WRITER(write_json, report_cost_part_json(part_of(content), stream, error))
REPLAY_WRITER(write_csv, report_cost_part_csv(part_of(content), stream, error))

/* The keys that a shape may have are named in the error, and no others. Keys that this part has not are as unknown
 * as any other word. */
static int find_key(const struct shape *shape, const char *text, size_t length, size_t *key,
                    struct base_error *error)
{
    const char *known[KEYS];
    size_t number[KEYS];
    size_t count = 0;
    size_t place;

    for (size_t i = 0; i < KEYS; i++)
        if (shape->known >> i & 1) {
            known[count] = keys[i];
            number[count++] = i;
        }
    place =
        base_names_find(&(struct base_names)BASE_NAMES_OF_TEXTS("key", known, count), text, length, error);
    if (place == count)
        return base_error_set(error, BASE_USAGE, "--%s: %s", shape->option, error->text);
    *key = number[place];
    return 0;
}

/* One "key=value" of so many bytes. Numbers are read strictly; the length alone may have decimals. */
static int read_value(struct shape *shape, const char *text, size_t length, struct base_error *error)
{
    size_t name = strcspn(text, "="), key = 0;
    char value[WORD_MAX];
    int status;

    if (name >= length)
        return base_error_set(error, BASE_USAGE, "--%s: '%.*s' is not of the form key=value", shape->option,
                              (int)(length < 80 ? length : 80), text);
    if (find_key(shape, text, name, &key, error) != 0)
        return -1;
    snprintf(value, sizeof value, "%.*s", (int)(length - name - 1 < WORD_MAX ? length - name - 1 : WORD_MAX),
             text + name + 1);
    status = key == KEY_LENGTH ? base_parse_decimal(value, 6, &shape->value[key])
                               : base_parse_unsigned(value, COUNT_MAX, &shape->value[key]);
    if (status != 0 || (key != KEY_LENGTH && shape->value[key] == 0))
        return base_error_set(error, BASE_USAGE, "--%s: %s=%s: %s", shape->option, keys[key], value,
                              key == KEY_LENGTH ? "a length is a decimal number of millimetres"
                                                : "a whole number from 1 to 1000000 is needed");
    if (shape->given >> key & 1)
        return base_error_set(error, BASE_USAGE, "--%s: %s is given twice", shape->option, keys[key]);
    shape->given |= 1U << key;
    return 0;
}

/* All keys must be there but those of `optional`. Every key once, in any order. */
static int read_shape(struct shape *shape, const char *text, unsigned optional, struct base_error *error)
{
    for (const char *next = text;;) {
        size_t length = strcspn(next, ",");
        if (read_value(shape, next, length, error) != 0)
            return -1;
        if (next[length] == '\0')
            break;
        next += length + 1;
    }
    for (size_t i = 0; i < KEYS; i++)
        if (((shape->known & ~optional) >> i & 1) && !(shape->given >> i & 1))
            return base_error_set(error, BASE_USAGE, "--%s %.80s: %s=... is missing", shape->option, text,
                                  keys[i]);
    return 0;
}

/* A shape outside of the technology's ranges is an error here: there is nothing else to answer. */
static int ask_router(const char *text, struct report_cost_part *part, struct base_error *error)
{
    struct shape shape = {.option = "router",
                          .known = 1U << KEY_PORTS | 1U << KEY_BITS | 1U << KEY_VCS | 1U << KEY_BUFFERS};

    if (read_shape(&shape, text, 0, error) != 0)
        return -1;
    part->length_mm = NAN;
    part->shape =
        (struct net_router_shape){(uint32_t)shape.value[KEY_PORTS], (uint32_t)shape.value[KEY_BITS],
                                  (uint32_t)shape.value[KEY_VCS], (uint32_t)shape.value[KEY_BUFFERS]};
    return net_technology_router(part->technology, &part->shape, part->values, error);
}

/* A link without a width is as wide as the flits that --flit-bytes says. */
static int ask_link(const char *text, uint32_t flit_bits, struct report_cost_part *part,
                    struct base_error *error)
{
    struct shape shape = {.option = "link", .known = 1U << KEY_LENGTH | 1U << KEY_BITS};

    shape.value[KEY_BITS] = flit_bits;
    if (read_shape(&shape, text, 1U << KEY_BITS, error) != 0)
        return -1;
    part->length_mm = 1e-6 * (double)shape.value[KEY_LENGTH];
    part->shape.flit_bits = (uint32_t)shape.value[KEY_BITS];
    return net_technology_link(part->technology, part->shape.flit_bits, part->length_mm, part->values, error);
}

/* One part has neither a topology nor a page: its numbers are a column. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_settings *settings = &answer->arguments->settings;
    const char *named = settings->text[REPLAY_TECHNOLOGY];
    struct study *study = calloc(1, sizeof *study);

    answer->content = study;
    if (study == NULL)
        return base_error_memory(error, "the costs");
    study->part.technology = study->technology =
        replay_technology(named == NULL ? REPLAY_COST_TECHNOLOGY : named, error);
    if (study->technology == NULL)
        return -1;
    if (answer->arguments->operand_count > 0 || settings->given[REPLAY_HTML] ||
        (settings->text[REPLAY_ROUTER] != NULL && settings->text[REPLAY_LINK] != NULL))
        return base_error_set(
            error, BASE_USAGE,
            "--router and --link each answer for one part: without the other, a topology, or --html");
    if (replay_technology_used(&study->part.inputs, &study->arena, study->technology) != 0)
        return base_error_memory(error, "the inputs");
    return 0;
}

static int work(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_settings *settings = &answer->arguments->settings;
    const char *router = settings->text[REPLAY_ROUTER], *link = settings->text[REPLAY_LINK];
    struct study *study = answer->content;
    struct replay_stopwatch stopwatch;
    int status;

    replay_stopwatch_start(&stopwatch);
    status = router != NULL
                 ? ask_router(router, &study->part, error)
                 : ask_link(link, 8 * (uint32_t)settings->number[REPLAY_FLIT_BYTES], &study->part, error);
    study->part.host = replay_stopwatch_read(&stopwatch, 0);
    return status;
}

static void release(void *content)
{
    struct study *study = content;

    base_arena_free(&study->arena);
    net_technology_free(study->technology);
    free(study);
}

static const struct replay_form forms[] = {
    {REPLAY_JSON, write_json}, {REPLAY_CSV, write_csv}, {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_cost_part_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
};
