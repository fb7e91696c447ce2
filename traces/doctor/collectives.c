/* The trace doctor's collectives: the n-th collective on a communicator is the same call on all its members
 * (MPI 4.0, section 6.1): one operation, one root, sizes that fit.
 *
 *      (communicator, n) ──► instance: operation, root and size as members say, and who
 *                            says so; sums of sizes              until all have come
 *      (communicator, rank) ──► how many the member has called   for those missed at the end
 *
 * Vectors are compared by weighted sums, so that P members with P sizes each need no P * P numbers: every
 * size counts times a pseudo-random odd weight of its pair of ranks, once as sent and once as received. Equal
 * vectors have equal sums; different ones have different sums but in one of 2^63 cases. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "traces/doctor/internal.h"
#include "base/grow.h"

/* What a member says that a collective is; place: of the lowest rank that says so. */
struct variant {
    struct doctor_place place;        /* whom a finding names */
    uint64_t bytes;                   /* as that member has recorded them */
    uint32_t root, members;           /* members: how many say so */
    enum trace_collective collective; /* which operation they take it for */
};

/* Members agree in one variant; whatever differs from the first is counted in the second. */
struct doctor_instance {
    uint64_t number;                /* of the collective on its communicator, from 0 */
    struct variant variants[2];     /* the second without members: all agree */
    uint32_t communicator, arrived; /* arrived: members that have called it so far */
    uint32_t next;                  /* among the free */
    bool compares;                  /* there were sizes on both sides */
    uint64_t sent_sum, received_sum;
};

/* Both groups of an inter-communicator take part in its collectives, and are numbered one after the other. */
static uint32_t size_of(const struct doctor *doctor, uint32_t communicator)
{
    const struct trace_communicator *group = trace_program_communicator(doctor->program, communicator);
    return group->size + group->remote_size;
}

/* The weight of a pair: the finaliser of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t weight_of(uint32_t from, uint32_t to)
{
    uint64_t mixed = ((uint64_t)from << 32 | to) + 0x9e3779b97f4a7c15;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return (mixed ^ mixed >> 31) | 1;
}

/* Remembers how far a member is. Members are looked up once. */
static int count_call(struct doctor *doctor, uint32_t rank, const struct trace_op *op)
{
    uint32_t index = base_table_get(&doctor->member_of, op->communicator, rank);

    if (index == BASE_TABLE_NONE) {
        if (doctor->counter_count >= BASE_TABLE_NONE ||
            base_grow(&doctor->counters, &doctor->counter_capacity, doctor->counter_count + 1,
                      sizeof *doctor->counters) != 0 ||
            base_table_put(&doctor->member_of, op->communicator, rank, (uint32_t)doctor->counter_count) != 0)
            return base_error_memory(doctor->error, "the collectives");
        index = (uint32_t)doctor->counter_count++;
    }
    doctor->counters[index] = op->instance + 1;
    return 0;
}

/* The instance, made by the member that comes first. DOCTOR_NONE: memory.
 * As with items: numbered, and used again. Pointers to instances are taken again afterwards, since the array may
 * move. */
static uint32_t instance_for(struct doctor *doctor, const struct trace_op *op)
{
    uint32_t index = base_table_get(&doctor->instance_of, op->communicator, op->instance);

    if (index != BASE_TABLE_NONE)
        return index;
    index = doctor->free_instance;
    if (index != DOCTOR_NONE) {
        doctor->free_instance = doctor->instances[index].next;
    } else {
        if (doctor->instance_count >= DOCTOR_NONE ||
            base_grow(&doctor->instances, &doctor->instance_capacity, doctor->instance_count + 1,
                      sizeof *doctor->instances) != 0)
            return DOCTOR_NONE;
        index = (uint32_t)doctor->instance_count++;
    }
    doctor->instances[index] = (struct doctor_instance){
        .number = op->instance,
        .communicator = op->communicator,
        .next = DOCTOR_NONE,
    };
    return base_table_put(&doctor->instance_of, op->communicator, op->instance, index) == 0 ? index
                                                                                            : DOCTOR_NONE;
}

/* The name of the call does not count: MPI_Comm_split on one rank and MPI_Allgather on another are one
 * collective to the replay, and no program does that. */
static bool is_same(const struct variant *variant, const struct trace_op *op)
{
    return variant->collective == op->collective && variant->root == op->root &&
           (variant->bytes == op->bytes || trace_collective_has_vectors(op->collective));
}

/* Counts a member with those that say the same. */
static void add_member(struct doctor_instance *instance, uint32_t rank, const struct trace_op *op)
{
    struct variant *variant = &instance->variants[0];

    if (variant->members > 0 && !is_same(variant, op))
        variant++;
    if (variant->members++ == 0)
        *variant = (struct variant){.place = doctor_place_of(rank, op),
                                    .bytes = op->bytes,
                                    .root = op->root,
                                    .members = 1,
                                    .collective = op->collective};
    else if (rank < variant->place.rank)
        variant->place = doctor_place_of(rank, op);
}

/* "calls", "has root" or "names so many bytes", of one variant, in a sentence on what another says.
 * Operation before root before size: the first of these that differs explains the others. `few` is the party that
 * is blamed, `many` the other one. */
static int tell_difference(struct doctor *doctor, const struct doctor_instance *instance,
                           const struct variant *few, const struct variant *many)
{
    const char *communicator = doctor_communicator_name(doctor, instance->communicator);
    bool is_order = few->collective != many->collective;

    if (!is_order && few->root == many->root)
        return doctor_tell(doctor, "collective-size", TRACE_WARNING, &few->place, 1,
                           "names %" PRIu64 " bytes in collective %" PRIu64 " on %s, where rank %" PRIu32
                           " (event %" PRIu64 ") names %" PRIu64,
                           few->bytes, instance->number + 1, communicator, many->place.rank,
                           many->place.event, many->bytes);
    if (doctor->disagreements[instance->communicator]++ > 0)
        return 0;
    if (is_order)
        return doctor_tell(doctor, "collective-order", TRACE_FAULT, &few->place, 1,
                           "calls %s as collective %" PRIu64 " on %s, where rank %" PRIu32 " (event %" PRIu64
                           ") calls %s",
                           trace_collective_name(few->collective), instance->number + 1, communicator,
                           many->place.rank, many->place.event, trace_collective_name(many->collective));
    return doctor_tell(doctor, "collective-root", TRACE_FAULT, &few->place, 1,
                       "has root %" PRIu32 " in collective %" PRIu64 " on %s, where rank %" PRIu32
                       " (event %" PRIu64 ") has root %" PRIu32,
                       few->root, instance->number + 1, communicator, many->place.rank, many->place.event,
                       many->root);
}

/* The blame goes to the smaller party, or to that without the lowest rank. Of other operations and roots only
 * the first of a communicator is told: when one call is lost, all that follow disagree.
 * With two members each may be right; the higher rank is named then, so that the answer is the same each
 * time. */
static int check_members(struct doctor *doctor, const struct doctor_instance *instance)
{
    const struct variant *few = &instance->variants[0], *many = &instance->variants[1];

    if (many->members == 0)
        return 0;
    if (few->members > many->members ||
        (few->members == many->members && few->place.rank < many->place.rank)) {
        few = &instance->variants[1];
        many = &instance->variants[0];
    }
    return tell_difference(doctor, instance, few, many);
}

/* Only sizes of pairs say what every other member must have; totals are the same for all by construction.
 * Wrap-around is wanted: the sums are compared, not read. */
static void add_vector(struct doctor_instance *instance, const struct trace_op *op, uint32_t position)
{
    const struct trace_vector *vector = op->vector;

    if (vector == NULL || !vector->pairwise)
        return;
    instance->compares = true;
    for (uint32_t i = 0; i < vector->size; i++) {
        instance->sent_sum += vector->sent[i] * weight_of(position, i);
        instance->received_sum += vector->received[i] * weight_of(i, position);
    }
}

/* The last member has come. */
static int close_instance(struct doctor *doctor, uint32_t index)
{
    struct doctor_instance *instance = &doctor->instances[index];
    int status = check_members(doctor, instance);

    if (status == 0 && instance->compares && instance->sent_sum != instance->received_sum &&
        instance->variants[1].members == 0)
        status = doctor_tell(doctor, "collective-size", TRACE_WARNING, &instance->variants[0].place, 1,
                             "in collective %" PRIu64 " on %s the sizes that members send to each other are "
                             "not those that they receive",
                             instance->number + 1, doctor_communicator_name(doctor, instance->communicator));
    base_table_remove(&doctor->instance_of, instance->communicator, instance->number);
    instance->next = doctor->free_instance;
    doctor->free_instance = index;
    return status;
}

/* A rank that is no member is told, and not counted: it cannot make an instance complete. Called when a rank
 * enters a collective; the rank waits until doctor_is_complete. -1: memory. */
int doctor_call(struct doctor *doctor, uint32_t rank)
{
    const struct trace_op *op = &doctor->ranks[rank].op;
    struct doctor_place place = doctor_place_of(rank, op);
    uint32_t position =
        trace_communicator_position(trace_program_communicator(doctor->program, op->communicator), rank);
    uint32_t index;

    if (size_of(doctor, op->communicator) <= 1) /* also MPI_COMM_SELF, one definition for all ranks */
        return 0;
    if (position == UINT32_MAX)
        return doctor_tell(doctor, "not-a-member", TRACE_FAULT, &place, 1,
                           "calls a collective on %s, of which the rank is not a member",
                           doctor_communicator_name(doctor, op->communicator));
    index = instance_for(doctor, op);
    if (index == DOCTOR_NONE)
        return base_error_memory(doctor->error, "the collectives");
    if (count_call(doctor, rank, op) != 0)
        return -1;
    add_member(&doctor->instances[index], rank, op);
    add_vector(&doctor->instances[index], op, position);
    if (++doctor->instances[index].arrived == size_of(doctor, op->communicator))
        return close_instance(doctor, index);
    return 0;
}

/* An instance that is there no more had all its members.
 * Numbers of instances are never used twice on a communicator, so that a missing one cannot be a later one.
 */
bool doctor_is_complete(const struct doctor *doctor, uint32_t rank)
{
    const struct trace_op *op = &doctor->ranks[rank].op;
    return base_table_get(&doctor->instance_of, op->communicator, op->instance) == BASE_TABLE_NONE;
}

/* ---- what is left */

/* How many members have not come, with a list of the first of them: "2, 3, 7". Eight are named, the rest is dots;
 * returns how many there are. */
static uint32_t list_missing(const struct doctor *doctor, const struct doctor_instance *instance,
                             char text[128])
{
    const struct trace_communicator *group =
        trace_program_communicator(doctor->program, instance->communicator);
    uint32_t missing = 0;
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < group->size + group->remote_size; i++) {
        uint32_t rank = i < group->size ? group->members[i] : group->remote_members[i - group->size];
        uint32_t counter = base_table_get(&doctor->member_of, instance->communicator, rank);
        if (counter != BASE_TABLE_NONE && doctor->counters[counter] > instance->number)
            continue;
        if (++missing <= 8)
            used += (size_t)snprintf(text + used, 128 - used, "%s%" PRIu32, missing > 1 ? ", " : "", rank);
        else if (missing == 9)
            snprintf(text + used, 128 - used, " ...");
    }
    return missing;
}

/* `later`: collectives of the same communicator after this one that miss members too.
 * The place is that of a member who did call: of those that did not there is none. */
static int report_instance(struct doctor *doctor, const struct doctor_instance *instance, uint64_t later)
{
    char ranks[128];
    char more[64] = "";
    uint32_t missing = list_missing(doctor, instance, ranks);

    if (later > 0)
        snprintf(more, sizeof more, ", nor %" PRIu64 " later one%s", later, later == 1 ? "" : "s");
    return doctor_tell(doctor, "collective-missing", TRACE_FAULT, &instance->variants[0].place, later + 1,
                       "collective %" PRIu64 " on %s is not called by %" PRIu32 " of its %" PRIu32
                       " ranks (%s)%s",
                       instance->number + 1, doctor_communicator_name(doctor, instance->communicator),
                       missing, size_of(doctor, instance->communicator), ranks, more);
}

/* By communicator, then number: the first of each communicator is told. */
static int compare_instances(const void *left, const void *right)
{
    const struct doctor_instance *a = left, *b = right;

    if (a->communicator != b->communicator)
        return a->communicator < b->communicator ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Afterwards the instances are in no use: they are sorted where they lie.
 * Whoever misses one collective misses all that follow on that communicator, or calls them one too early; so
 * only the first is described. Members that came are still compared. After all streams have ended: instances that
 * are left have not seen all of their members. */
static int report_missing(struct doctor *doctor)
{
    size_t count = 0, first = 0;

    for (size_t i = 0; i < doctor->instance_count; i++) {
        const struct doctor_instance *instance = &doctor->instances[i];
        if (base_table_get(&doctor->instance_of, instance->communicator, instance->number) == i)
            doctor->instances[count++] = *instance;
    }
    if (count > 0)
        qsort(doctor->instances, count, sizeof *doctor->instances, compare_instances);
    for (size_t i = 1; i <= count; i++) {
        if (check_members(doctor, &doctor->instances[i - 1]) != 0)
            return -1;
        if (i < count && doctor->instances[i].communicator == doctor->instances[first].communicator)
            continue;
        if (report_instance(doctor, &doctor->instances[first], i - first - 1) != 0)
            return -1;
        first = i;
    }
    return 0;
}

/* The collectives that disagree after the first of a communicator. */
static int report_disagreements(struct doctor *doctor)
{
    for (uint32_t i = 0; i < doctor->communicator_count; i++)
        if (doctor->disagreements[i] > 1 &&
            doctor_tell(doctor, "collective-order", TRACE_FAULT, NULL, doctor->disagreements[i] - 1,
                        "%" PRIu64 " more collectives on %s disagree in the operation or the root",
                        doctor->disagreements[i] - 1, doctor_communicator_name(doctor, i)) != 0)
            return -1;
    return 0;
}

/* Numbers last: report_missing may still find disagreements among those that came. */
int doctor_report_collectives(struct doctor *doctor)
{
    return report_missing(doctor) == 0 ? report_disagreements(doctor) : -1;
}
