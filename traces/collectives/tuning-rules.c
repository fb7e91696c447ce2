/* The text is cut in place of copies: a rule is read from left to right by the characters that end its parts,
 * "=", ":", "@" and "/". */
#include "traces/collectives/tuning-rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "traces/collectives/steps.h"

/* A name of an operation or algorithm, or a number, is never longer. */
#define WORD 80

/* Where reading is. The rule is not ended by a zero byte, but by a comma or the end of all rules: its length says
 * where. */
struct reader {
    const char *text; /* what is left of the rule */
    const char *rule; /* its start and length */
    int rule_length;
    struct base_error *error; /* where the first refusal goes */
};

/* Every mistake is told with what a rule looks like. */
static int refuse(const struct reader *reader, const char *why)
{
    return base_error_set(reader->error, BASE_USAGE,
                          "%s; needs operation=algorithm[:segment][@maximum bytes][/minimum ranks]", why);
}

/* The word up to one of the given characters or the end of the rule. Names are written with hyphens or
 * underscores alike: MPI has reduce_scatter, the algorithms reduce-scatter. */
static int take_word(struct reader *reader, const char *enders, char word[WORD])
{
    size_t left = (size_t)(reader->rule + reader->rule_length - reader->text), length = 0;

    while (length < left && strchr(enders, reader->text[length]) == NULL)
        length++;
    if (length == 0 || length >= WORD)
        return refuse(reader, length == 0 ? "a part of it is empty" : "a part of it is too long");
    memcpy(word, reader->text, length);
    word[length] = '\0';
    reader->text += length;
    return 0;
}

/* Whether the given character comes next, which is then passed. */
static bool take(struct reader *reader, char expected)
{
    if (reader->text >= reader->rule + reader->rule_length || *reader->text != expected)
        return false;
    reader->text++;
    return true;
}

/* The list of operations is short enough to be in the message. */
static int read_collective(struct reader *reader, enum trace_collective *collective)
{
    char word[WORD];

    if (take_word(reader, "=:@/", word) != 0 || trace_collective_find(word, collective, reader->error) != 0)
        return -1;
    return take(reader, '=') ? 0 : refuse(reader, "no algorithm is given");
}

/* The length of the operation at the start of an algorithm's name, with its hyphen: 10 of "allreduce-ring".
 * Of several the longest: "reduce-scatter-ring" is not "scatter-ring" of a reduction. */
static size_t operation_length(const char *algorithm)
{
    size_t longest = 0;

    for (uint32_t i = 0; i < TRACE_COLLECTIVES; i++) {
        const char *name = trace_collective_name((enum trace_collective)i);
        size_t length = 0;
        while (name[length] != '\0' &&
               (name[length] == algorithm[length] || (name[length] == '_' && algorithm[length] == '-')))
            length++;
        if (name[length] == '\0' && algorithm[length] == '-' && length + 1 > longest)
            longest = length + 1;
    }
    return longest;
}

/* Rules are for one group: between two there is no choice. */
static bool can_do(const struct trace_algorithm *algorithm, enum trace_collective collective)
{
    return !algorithm->inter && (algorithm->collectives & UINT32_C(1) << collective) != 0;
}

/* The algorithm of that name for the operation; of two short names the one for this very operation:
 * allgatherv=ring is allgatherv-ring, although allgather-ring can do it, too. */
static const struct trace_algorithm *find_algorithm(enum trace_collective collective, const char *word)
{
    size_t count;
    size_t own_length = strlen(trace_collective_name(collective)) + 1;
    const struct trace_algorithm *const *all = trace_algorithms(&count);
    const struct trace_algorithm *found = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t skipped = operation_length(all[i]->name);
        if (!can_do(all[i], collective))
            continue;
        if (strcmp(all[i]->name, word) == 0)
            return all[i];
        if (strcmp(all[i]->name + skipped, word) == 0 && (found == NULL || skipped == own_length))
            found = all[i];
    }
    return found;
}

/* Those that can do the operation are listed. */
static int read_algorithm(struct reader *reader, struct trace_rule *rule)
{
    const char *operation = trace_collective_name(rule->collective);
    const struct trace_algorithm *const *all;
    const char *comma = "";
    char word[WORD];
    size_t count;

    if (take_word(reader, ":@/", word) != 0)
        return -1;
    rule->algorithm = find_algorithm(rule->collective, word);
    if (rule->algorithm != NULL)
        return 0;
    base_error_set(reader->error, BASE_USAGE, "no algorithm '%.80s' does %s; those that do: ", word,
                   operation);
    all = trace_algorithms(&count);
    for (size_t i = 0; i < count; i++)
        if (can_do(all[i], rule->collective)) {
            base_error_append(reader->error, "%s%s", comma, all[i]->name);
            comma = ", ";
        }
    return -1;
}

/* Segments are the algorithm's own where the rule has none. */
static int read_segment(struct reader *reader, struct trace_rule *rule)
{
    char word[WORD];

    rule->segment_bytes = rule->algorithm->segment_bytes;
    if (!take(reader, ':'))
        return 0;
    if (rule->algorithm->segment_bytes == 0)
        return refuse(reader, "this algorithm has no segments");
    if (take_word(reader, "@/", word) != 0)
        return -1;
    return base_parse_bytes(word, &rule->segment_bytes) == 0
               ? 0
               : refuse(reader, "the segment needs a size (such as 4096, 64k or 1MiB)");
}

/* Is the size of the call the same for all members, as far as each of them knows? */
static bool has_common_size(enum trace_collective collective)
{
    return collective != TRACE_BARRIER && collective != TRACE_GATHERV && collective != TRACE_SCATTERV &&
           collective != TRACE_ALLTOALLV && collective != TRACE_ALLTOALLW;
}

/* In this order: bytes, then ranks. */
static int read_limits(struct reader *reader, struct trace_rule *rule)
{
    uint64_t ranks = 0;
    char word[WORD];

    rule->bytes_max = UINT64_MAX;
    if (take(reader, '@')) {
        if (!has_common_size(rule->collective))
            return refuse(reader, "the ranks of this operation share no size that could select an algorithm");
        if (take_word(reader, "/", word) != 0)
            return -1;
        if (base_parse_bytes(word, &rule->bytes_max) != 0)
            return refuse(reader, "the maximum needs a size (such as 4096, 64k or 1MiB)");
    }
    if (take(reader, '/')) {
        if (take_word(reader, "", word) != 0)
            return -1;
        if (base_parse_unsigned(word, UINT32_MAX, &ranks) != 0)
            return refuse(reader, "the minimum of ranks needs a whole number");
    }
    rule->ranks_min = (uint32_t)ranks;
    return 0;
}

/* Part after part; the first mistake is told. */
static int read_rule(struct reader *reader, struct trace_rule *rule)
{
    return read_collective(reader, &rule->collective) != 0 || read_algorithm(reader, rule) != 0 ||
                   read_segment(reader, rule) != 0 || read_limits(reader, rule) != 0
               ? -1
               : 0;
}

/* A copy of the table's entry in the register, and the rules behind it in the same block. */
struct own_selection {
    struct trace_tuning tuning;
    struct trace_rule rules[]; /* tuning.rule_count of them; the first that applies counts */
};

/* Rules are commas plus one; empty ones are refused when they are read. */
static size_t count_rules(const char *rules)
{
    size_t count = 1;

    if (rules == NULL || *rules == '\0')
        return 0;
    for (; *rules != '\0'; rules++)
        count += *rules == ',';
    return count;
}

/* Rules are kept in the order given, which is the order they are tried in. */
struct trace_tuning *trace_tuning_new(const char *table, const char *rules, struct base_error *error)
{
    const struct trace_tuning *fallback = trace_tuning_find(table, error);
    size_t count = count_rules(rules);
    struct own_selection *own;

    if (fallback == NULL)
        return NULL;
    own = malloc(sizeof *own + count * sizeof *own->rules);
    if (own == NULL) {
        base_error_memory(error, "the rules for collectives");
        return NULL;
    }
    own->tuning = *fallback;
    own->tuning.rules = own->rules;
    own->tuning.rule_count = count;
    for (size_t i = 0; i < count; i++) {
        struct reader reader = {rules, rules, (int)strcspn(rules, ","), error};
        if (read_rule(&reader, &own->rules[i]) != 0) {
            free(own);
            return NULL;
        }
        rules += reader.rule_length + 1;
    }
    return &own->tuning;
}

/* The tuning is the first member of what was allocated. */
void trace_tuning_free(struct trace_tuning *tuning)
{
    free(tuning);
}

/* The same on all members: what only some know is never asked for. */
static uint64_t decisive_bytes(const struct trace_collective_call *call)
{
    if (call->collective == TRACE_ALLGATHERV || call->collective == TRACE_REDUCE_SCATTER)
        return trace_total_bytes(call) / call->ranks;
    return call->bytes;
}

/* Called for every collective of a replay; rules are few. */
const struct trace_rule *trace_tuning_rule(const struct trace_tuning *tuning,
                                           const struct trace_collective_call *call)
{
    for (size_t i = 0; i < tuning->rule_count; i++) {
        const struct trace_rule *rule = &tuning->rules[i];
        if (rule->collective != call->collective || call->ranks < rule->ranks_min)
            continue;
        if (rule->algorithm->power_of_two && !trace_is_power_of_two(call->ranks))
            continue;
        if (rule->bytes_max == UINT64_MAX || decisive_bytes(call) <= rule->bytes_max)
            return rule;
    }
    return NULL;
}
