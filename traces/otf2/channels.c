/* Receives on wrong channels. EZTrace records the completion of every non-blocking receive on MPI_COMM_WORLD,
 * while the number of the sender is its rank in the true communicator. So a receive of channel R may belong
 * to the sends of channel S when target and tag are the same, the target is a member of S's communicator, and
 * the sender is the same rank of the world, or has the same number in both communicators.
 *
 * Channels with as many sends as receives are left alone. The others are put into groups by target and tag.
 * In most groups each R fits one S and the counts agree: a rule moves the whole channel. Otherwise the
 * receives of the group are paired one by one, in the order they were posted, with the next send of a fitting
 * channel, of the same size if there is one.
 *
 * Both ways keep what MPI promises: messages of one channel are matched in order. Only records that strict
 * matching leaves over are ever touched, so a trace of a sound recorder is replayed as it was written.
 * Counts are in messages, sizes in bytes, ranks are those of the world. */
#include <stdlib.h>

#include "base/grow.h"
#include "traces/otf2/repair.h"

/* The pointer is good until the next call, which may move the array; whoever needs a channel for longer
 * keeps its index. */
struct trace_otf2_channel *trace_otf2_channel(struct trace_otf2_channels *channels,
                                              const struct trace_otf2_channel *key)
{
    uint64_t a = trace_otf2_pack(key->communicator, key->tag), b = trace_otf2_pack(key->source, key->target);
    uint32_t index = base_table_get(&channels->index, a, b);

    if (index != BASE_TABLE_NONE)
        return &channels->all[index];
    index = (uint32_t)channels->count;
    if (channels->count >= BASE_TABLE_NONE ||
        base_grow(&channels->all, &channels->capacity, channels->count + 1, sizeof *channels->all) != 0 ||
        base_table_put(&channels->index, a, b, index) != 0)
        return NULL;
    channels->all[index] = *key;
    channels->count++;
    return &channels->all[index];
}

/* Leaves a valid empty one. */
void trace_otf2_channels_free(struct trace_otf2_channels *channels)
{
    base_table_free(&channels->index);
    free(channels->all);
    *channels = (struct trace_otf2_channels){0};
}

/* True when strict matching leaves sends or receives of the pair over, on any communicator and tag. The
 * balance is a sum of hashes (survey.c): it can be 0 by chance for a pair that is not balanced, which
 * then merely stays unrepaired. */
static bool is_unbalanced(const struct trace_otf2_survey *survey, uint32_t source, uint32_t target)
{
    uint32_t index = base_table_get(&survey->pair_index, source, target);
    const struct trace_otf2_pair *pair;

    if (index == BASE_TABLE_NONE)
        return false;
    pair = &survey->pairs[index];
    return pair->pair.messages != pair->receives || pair->balance != 0;
}

/* Every visit reads the rank's events again: repairs are rare, and memory is dearer than time. */
int trace_otf2_visit_rank(struct trace_otf2_repairs *repairs, uint32_t rank,
                          int (*visit)(void *user, uint32_t rank, const struct trace_op *op,
                                       uint64_t ordinal),
                          void *user, struct base_error *error)
{
    struct trace_otf2_stream stream;
    struct trace_op op;
    uint64_t ordinal;
    int result = trace_otf2_stream_init(&stream, repairs->archive, repairs->context, rank, error);

    while (result == 0 && (result = trace_otf2_stream_next(&stream, &op, &ordinal, error)) > 0)
        result = visit(user, rank, &op, ordinal);
    trace_otf2_stream_free(&stream);
    return result;
}

/* A channel is all messages of one pair of ranks with one tag on one communicator, which MPI keeps in order.
 */
bool trace_otf2_channel_key(const struct trace_op *op, uint32_t rank, struct trace_otf2_channel *key)
{
    if ((op->kind != TRACE_SEND && op->kind != TRACE_RECEIVE) || op->peer == UINT32_MAX)
        return false;
    *key = (struct trace_otf2_channel){.communicator = op->communicator,
                                       .tag = op->tag,
                                       .source = op->kind == TRACE_SEND ? rank : op->peer,
                                       .target = op->kind == TRACE_SEND ? op->peer : rank};
    return true;
}

/* What visit_channels needs; all of it belongs to the caller. */
struct counting {
    const struct trace_otf2_survey *survey; /* tells which pairs are unbalanced */
    struct trace_otf2_channels *channels;   /* that are being filled */
    struct base_error *error;
};

/* Balanced pairs are left out: most traces of a recorder that is wrong here and there are right elsewhere. */
static int visit_channels(void *user, uint32_t rank, const struct trace_op *op, uint64_t ordinal)
{
    struct counting *counting = user;
    struct trace_otf2_channel key;
    struct trace_otf2_channel *channel;

    (void)ordinal;
    if (!trace_otf2_channel_key(op, rank, &key) || !is_unbalanced(counting->survey, key.source, key.target))
        return 0;
    channel = trace_otf2_channel(counting->channels, &key);
    if (channel == NULL)
        return base_error_memory(counting->error, "the channels to repair");
    *(op->kind == TRACE_SEND ? &channel->sends : &channel->receives) += 1;
    return 0;
}

/* Visits the ranks that are an end of an unbalanced pair. The others cannot have a message of such a pair,
 * and their event files need not be read again. */
static int visit_unbalanced(struct trace_otf2_repairs *repairs,
                            int (*visit)(void *user, uint32_t rank, const struct trace_op *op,
                                         uint64_t ordinal),
                            void *user, struct base_error *error)
{
    const struct trace_otf2_survey *survey = repairs->survey;
    uint32_t ranks = repairs->context->definitions->ranks;
    bool *wanted = calloc(ranks, sizeof *wanted);
    int result = wanted == NULL ? base_error_memory(error, "the channels to repair") : 0;

    for (size_t i = 0; i < survey->pair_count && result == 0; i++) {
        const struct trace_pair *pair = &survey->pairs[i].pair;
        if (is_unbalanced(survey, pair->source, pair->target))
            wanted[pair->source] = wanted[pair->target] = true;
    }
    for (uint32_t rank = 0; rank < ranks && result == 0; rank++)
        if (wanted[rank])
            result = trace_otf2_visit_rank(repairs, rank, visit, user, error);
    free(wanted);
    return result;
}

/* Costs one more reading of the ranks concerned; memory is a channel for each pair, communicator and tag between
 * them. */
int trace_otf2_count_channels(struct trace_otf2_repairs *repairs, struct trace_otf2_channels *channels,
                              struct base_error *error)
{
    struct counting counting = {repairs->survey, channels, error};
    return visit_unbalanced(repairs, visit_channels, &counting, error);
}

/* A channel of a group, while the receives of the group are paired one by one. `next` is the first send that no
 * receive has been given yet: sends of a channel are used up in their order. */
struct member {
    struct trace_otf2_channel *channel; /* borrowed from the channels */
    uint64_t *sizes;                    /* of its sends, in order */
    size_t size_count, size_capacity, next;
};

/* A receive of a group in the order of posting, which is the order in which MPI matches. */
struct receive {
    uint64_t ordinal, bytes; /* of the target's receives, from 0; as recorded */
    uint32_t member;         /* as recorded */
};

/* The channels with left-over sends or receives of one target and tag: members first .. first + count of the
 * list. */
struct group {
    uint32_t first, count;    /* places in the list of members */
    bool one_by_one;          /* no single rule does: receives are given sends one at a time */
    struct receive *receives; /* by ordinal: the order in which they are posted */
    size_t receive_count, receive_capacity;
};

/* Its arrays are its own until the end of trace_otf2_repair_channels; what lasts are rules and table entries. */
struct pairing {
    struct trace_otf2_repairs *repairs; /* where rules go, by its tables */
    struct base_error *error;
    struct trace_otf2_channels channels; /* of unbalanced pairs */
    struct member *members;              /* sorted into groups */
    struct group *groups;
    size_t member_count, group_count; /* of members, of groups */
    /* (communicator, tag), (source, target) -> member, of groups to pair one by one */
    struct base_table member_of;
};

static int no_memory(const struct pairing *pairing)
{
    return base_error_memory(pairing->error, "the channels to repair");
}

/* By target and tag, which makes the groups; by communicator and source for an order that does not depend on
 * chance. */
static int compare_members(const void *left, const void *right)
{
    const struct trace_otf2_channel *a = ((const struct member *)left)->channel;
    const struct trace_otf2_channel *b = ((const struct member *)right)->channel;
    const uint32_t keys_a[] = {a->target, a->tag, a->communicator, a->source};
    const uint32_t keys_b[] = {b->target, b->tag, b->communicator, b->source};

    for (size_t i = 0; i < sizeof keys_a / sizeof *keys_a; i++)
        if (keys_a[i] != keys_b[i])
            return keys_a[i] < keys_b[i] ? -1 : 1;
    return 0;
}

/* Channels with left-over sends or receives, sorted into groups of one target and tag. No repair crosses
 * groups: a recorder that is wrong about a communicator is still right about who received, and with which
 * tag. Memory is in proportion to the channels of unbalanced pairs, and the sort makes the result independent of
 * the order in which they were met. */
static int make_groups(struct pairing *pairing)
{
    struct trace_otf2_channels *channels = &pairing->channels;

    pairing->members = calloc(channels->count + 1, sizeof *pairing->members);
    pairing->groups = calloc(channels->count + 1, sizeof *pairing->groups);
    if (pairing->members == NULL || pairing->groups == NULL)
        return no_memory(pairing);
    for (size_t i = 0; i < channels->count; i++)
        if (channels->all[i].sends != channels->all[i].receives)
            pairing->members[pairing->member_count++].channel = &channels->all[i];
    if (pairing->member_count > 0)
        qsort(pairing->members, pairing->member_count, sizeof *pairing->members, compare_members);
    for (uint32_t i = 0; i < pairing->member_count; i++) {
        const struct trace_otf2_channel *channel = pairing->members[i].channel;
        const struct trace_otf2_channel *before = i == 0 ? NULL : pairing->members[i - 1].channel;
        if (before == NULL || channel->target != before->target || channel->tag != before->tag)
            pairing->groups[pairing->group_count++].first = i;
        pairing->groups[pairing->group_count - 1].count++;
    }
    return 0;
}

/* True when a receive recorded on channel `receive` may belong to a send on channel `send` of the same
 * group. The first case is a sender translated to the world, the second a number that was never translated:
 * EZTrace writes the rank in the true communicator beside the identifier of the world. */
static bool fits(const struct pairing *pairing, const struct trace_otf2_channel *receive,
                 const struct trace_otf2_channel *send)
{
    const struct trace_otf2_definitions *definitions = pairing->repairs->context->definitions;

    if (receive->source == send->source)
        return true;
    return trace_otf2_member(definitions, receive->communicator, receive->source) ==
           trace_otf2_member(definitions, send->communicator, send->source);
}

/* The only channel whose sends the receives of a member can belong to, or NULL. Two would mean that a rule
 * has to guess: then the single messages decide. */
static const struct trace_otf2_channel *only_fit(const struct pairing *pairing, const struct group *group,
                                                 const struct trace_otf2_channel *receive)
{
    const struct trace_otf2_channel *found = NULL;

    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        const struct trace_otf2_channel *send = pairing->members[i].channel;
        if (send->sends == 0 || !fits(pairing, receive, send))
            continue;
        if (found != NULL)
            return NULL;
        found = send;
    }
    return found;
}

/* True when every channel of receives only has a channel of sends only to itself, of the same number.
 * Anything less and a rule for whole channels could move a receive that was right. */
static bool is_simple(const struct pairing *pairing, const struct group *group)
{
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        const struct trace_otf2_channel *receive = pairing->members[i].channel;
        const struct trace_otf2_channel *send;
        if (receive->receives == 0)
            continue;
        send = only_fit(pairing, group, receive);
        if (receive->sends > 0 || send == NULL || send->receives > 0 || send->sends != receive->receives)
            return false;
        for (uint32_t k = group->first; k < i; k++)
            if (pairing->members[k].channel->receives > 0 &&
                only_fit(pairing, group, pairing->members[k].channel) == send)
                return false;
    }
    return true;
}

/* The tag and the target stay; the communicator and the source are found. Rules are what cursors apply while
 * they read, so they cost no memory for each message. */
static int add_rule(struct pairing *pairing, const struct trace_otf2_channel *receive,
                    const struct trace_otf2_channel *send)
{
    struct trace_otf2_tables *tables = pairing->repairs->tables;

    if (tables->rule_count >= BASE_TABLE_NONE ||
        base_grow(&tables->rule_list, &tables->rule_capacity, tables->rule_count + 1,
                  sizeof *tables->rule_list) != 0 ||
        base_table_put(&tables->rules, trace_otf2_pack(receive->communicator, receive->tag),
                       trace_otf2_pack(receive->source, receive->target), (uint32_t)tables->rule_count) != 0)
        return no_memory(pairing);
    tables->rule_list[tables->rule_count++] = (struct trace_otf2_rule){send->communicator, send->source};
    pairing->repairs->survey->counts.repairs[TRACE_OTF2_REPAIR_COMMUNICATOR] += receive->receives;
    return 0;
}

/* Rules for a simple group; the members of another are listed, to be paired one by one. A group without any
 * receive is left to the guesses. An error means memory; a group that is not simple is no error. */
static int sort_out(struct pairing *pairing, struct group *group)
{
    uint64_t receives = 0;

    for (uint32_t i = group->first; i < group->first + group->count; i++)
        receives += pairing->members[i].channel->receives;
    group->one_by_one = receives > 0 && !is_simple(pairing, group);
    for (uint32_t i = group->first; i < group->first + group->count && receives > 0; i++) {
        const struct trace_otf2_channel *channel = pairing->members[i].channel;
        if (group->one_by_one) {
            if (base_table_put(&pairing->member_of, trace_otf2_pack(channel->communicator, channel->tag),
                               trace_otf2_pack(channel->source, channel->target), i) != 0)
                return no_memory(pairing);
        } else if (channel->receives > 0) {
            if (add_rule(pairing, channel, only_fit(pairing, group, channel)) != 0)
                return -1;
        }
    }
    return 0;
}

/* Groups are consecutive members: the last that begins at or before this one. */
static struct group *group_of(struct pairing *pairing, uint32_t member)
{
    size_t low = 0, high = pairing->group_count - 1;

    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (pairing->groups[middle].first <= member)
            low = middle;
        else
            high = middle - 1;
    }
    return &pairing->groups[low];
}

/* Lists the sizes of the sends and the receives of the groups that are paired one by one. Sizes of sends are
 * kept for these groups only: one number a message is the largest memory that any repair takes. */
static int visit_messages(void *user, uint32_t rank, const struct trace_op *op, uint64_t ordinal)
{
    struct pairing *pairing = user;
    struct trace_otf2_channel key;
    uint32_t index;

    if (!trace_otf2_channel_key(op, rank, &key))
        return 0;
    index = base_table_get(&pairing->member_of, trace_otf2_pack(key.communicator, key.tag),
                           trace_otf2_pack(key.source, key.target));
    if (index == BASE_TABLE_NONE)
        return 0;
    if (op->kind == TRACE_SEND) {
        struct member *member = &pairing->members[index];
        if (base_grow(&member->sizes, &member->size_capacity, member->size_count + 1,
                      sizeof *member->sizes) != 0)
            return no_memory(pairing);
        member->sizes[member->size_count++] = op->bytes;
    } else {
        struct group *group = group_of(pairing, index);
        if (base_grow(&group->receives, &group->receive_capacity, group->receive_count + 1,
                      sizeof *group->receives) != 0)
            return no_memory(pairing);
        group->receives[group->receive_count++] = (struct receive){ordinal, op->bytes, index};
    }
    return 0;
}

/* How well the next send of a member suits a receive: 0 not at all; the size counts most, then the recorded
 * channel, then the recorded source. The weights 4, 2, 1 make this an order of precedence: no two lesser
 * reasons together outweigh a greater one. */
static int suitability(const struct pairing *pairing, const struct receive *receive, uint32_t index)
{
    const struct member *recorded = &pairing->members[receive->member], *member = &pairing->members[index];

    if (member->next == member->size_count || !fits(pairing, recorded->channel, member->channel))
        return 0;
    return 1 + (member->sizes[member->next] == receive->bytes ? 4 : 0) + (index == receive->member ? 2 : 0) +
           (member->channel->source == recorded->channel->source ? 1 : 0);
}

/* By halving: the table is in the order of ordinals. */
struct trace_otf2_receive *trace_otf2_find_receive(const struct trace_otf2_rank_tables *rank,
                                                   uint64_t ordinal)
{
    size_t low = 0, high = rank->receive_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rank->receives[middle].ordinal < ordinal)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rank->receive_count && rank->receives[low].ordinal == ordinal ? &rank->receives[low] : NULL;
}

/* Enters a moved receive into the table of its rank, out of order. `sorted` is the number of entries from
 * the survey, the only ones that can be found by halving; the rest are put in order when the group is done.
 */
static int move(struct pairing *pairing, const struct receive *receive,
                const struct trace_otf2_channel *channel, size_t sorted)
{
    struct trace_otf2_rank_tables *rank = &pairing->repairs->tables->ranks[channel->target];
    struct trace_otf2_rank_tables old = {.receives = rank->receives, .receive_count = sorted};
    struct trace_otf2_receive *entry = trace_otf2_find_receive(&old, receive->ordinal);

    if (entry == NULL) {
        if (base_grow(&rank->receives, &rank->receive_capacity, rank->receive_count + 1,
                      sizeof *rank->receives) != 0)
            return no_memory(pairing);
        entry = &rank->receives[rank->receive_count++];
    }
    *entry = (struct trace_otf2_receive){.ordinal = receive->ordinal,
                                         .bytes = receive->bytes,
                                         .peer = channel->source,
                                         .tag = channel->tag,
                                         .communicator = channel->communicator,
                                         .state = TRACE_OTF2_MOVED};
    pairing->repairs->survey->counts.repairs[TRACE_OTF2_REPAIR_COMMUNICATOR]++;
    return 0;
}

/* The best candidate takes its next send, the first of equals. A receive that nothing suits keeps what was
 * recorded. Strictly greater scores only, so that the first of equals does not depend on anything but the
 * sorted order of the members. Receives times members of the group: groups have one target and tag, and so few
 * members. */
static int pair_one_by_one(struct pairing *pairing, const struct group *group)
{
    uint32_t target = pairing->members[group->first].channel->target;
    struct trace_otf2_rank_tables *rank = &pairing->repairs->tables->ranks[target];
    size_t sorted = rank->receive_count;

    for (size_t i = 0; i < group->receive_count; i++) {
        const struct receive *receive = &group->receives[i];
        uint32_t best = receive->member;
        int score = 0;
        for (uint32_t k = group->first; k < group->first + group->count; k++) {
            int other = suitability(pairing, receive, k);
            if (other > score) {
                score = other;
                best = k;
            }
        }
        if (score > 0)
            pairing->members[best].next++;
        if (best != receive->member && move(pairing, receive, pairing->members[best].channel, sorted) != 0)
            return -1;
    }
    trace_otf2_sort_tables(rank);
    return 0;
}

/* Counts, sorts the channels out, and looks at single messages only where rules do not do. */
static int pair_all(struct pairing *pairing)
{
    bool one_by_one = false;

    if (trace_otf2_count_channels(pairing->repairs, &pairing->channels, pairing->error) != 0 ||
        make_groups(pairing) != 0)
        return -1;
    for (size_t i = 0; i < pairing->group_count; i++) {
        if (sort_out(pairing, &pairing->groups[i]) != 0)
            return -1;
        one_by_one |= pairing->groups[i].one_by_one;
    }
    if (one_by_one && visit_unbalanced(pairing->repairs, visit_messages, pairing, pairing->error) != 0)
        return -1;
    for (size_t i = 0; i < pairing->group_count; i++)
        if (pairing->groups[i].one_by_one && pair_one_by_one(pairing, &pairing->groups[i]) != 0)
            return -1;
    return 0;
}

/* As repair.h says. What was found before an error stays in the tables, which the caller then drops with the
 * program. */
int trace_otf2_repair_channels(struct trace_otf2_repairs *repairs, struct base_error *error)
{
    struct pairing pairing = {.repairs = repairs, .error = error};
    int result = pair_all(&pairing);

    for (size_t i = 0; i < pairing.member_count; i++)
        free(pairing.members[i].sizes);
    for (size_t i = 0; i < pairing.group_count; i++)
        free(pairing.groups[i].receives);
    free(pairing.members);
    free(pairing.groups);
    base_table_free(&pairing.member_of);
    trace_otf2_channels_free(&pairing.channels);
    return result;
}
