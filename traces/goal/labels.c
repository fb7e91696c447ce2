/* Runs are in an array, in order: a label that goes on the run of the one before it is the rule, and
 * everything else is found by bisection.
 *
 *     l1 l2 … l5000        one run: prefix "l#", first 1, last 5000
 *     send_3_17            number 17 (the largest), prefix "send_3_#"
 *
 * So labels that count up, as schedgen's do, take a few bytes in all, and not some for each operation. */
#include "traces/goal/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/grow.h"

#define RUNS ((size_t)4096)
#define DIGITS ((size_t)18) /* a longer number is part of the prefix: it may not fit into 64 bits */
#define NUMBER 256          /* behind all characters */

struct range {
    size_t begin, end; /* runs, end excluded */
};

/* Where a word ends in its only number, as most labels do: where that begins; elsewhere its length. */
static size_t only_number(const char *word, size_t length, uint64_t *number)
{
    size_t begin = 0;
    size_t at;
    uint64_t value = 0;

    while (begin < length && (word[begin] < '0' || word[begin] > '9'))
        begin++;
    for (at = begin; at < length && word[at] >= '0' && word[at] <= '9'; at++)
        value = 10 * value + (uint64_t)(word[at] - '0');
    if (at < length || at == begin || at - begin > DIGITS || (word[begin] == '0' && at - begin > 1))
        return length;
    *number = value;
    return begin;
}

/* The number of a word: the largest of those in it, and of equal ones the last, since what counts operations
 * outgrows in time what names a peer or a phase. Without one the range is empty. Leading zeros belong to the
 * prefix, so that l1 and l01 stay two labels. */
static struct range number_of(const char *word, size_t length, uint64_t *number)
{
    struct range found = {only_number(word, length, number), length};

    if (found.begin < length)
        return found;
    for (size_t at = 0; at < length; at++) {
        struct range digits = {at, at};
        uint64_t value = 0;
        while (digits.end < length && word[digits.end] >= '0' && word[digits.end] <= '9')
            digits.end++;
        if (digits.end == digits.begin)
            continue;
        while (digits.begin + 1 < digits.end && word[digits.begin] == '0')
            digits.begin++;
        at = digits.end - 1;
        if (digits.end - digits.begin > DIGITS)
            continue;
        for (size_t i = digits.begin; i < digits.end; i++)
            value = 10 * value + (uint64_t)(word[i] - '0');
        if (found.begin < length && value < *number)
            continue;
        *number = value;
        found = digits;
    }
    return found;
}

/* In the prefix a mark that is no character stands in the place of the number. */
struct trace_goal_label trace_goal_label_of(const char *word, size_t length)
{
    struct trace_goal_label label = {1, 2, UINT64_MAX};
    struct range number = number_of(word, length, &label.number);

    for (size_t i = 0; i < length; i++) {
        uint64_t c = (unsigned char)word[i];
        if (i == number.begin) {
            c = NUMBER;
            i = number.end - 1;
        }
        label.a = base_hash(label.a, c);
        label.b = base_hash(label.b, c);
    }
    return label;
}

/* Most labels of a rank are one prefix, and a number behind it. */
struct trace_goal_label trace_goal_label_as(struct trace_goal_prefix *last, const char *word, size_t length)
{
    uint64_t number = 0;
    size_t begin = only_number(word, length, &number);
    struct trace_goal_label label;

    if (begin == length || begin == 0 || begin > sizeof last->text)
        return trace_goal_label_of(word, length);
    if (begin == last->length && memcmp(last->text, word, begin) == 0)
        return (struct trace_goal_label){last->a, last->b, number};
    label = trace_goal_label_of(word, length);
    *last = (struct trace_goal_prefix){.length = begin, .a = label.a, .b = label.b};
    memcpy(last->text, word, begin);
    return label;
}

/* The second half of a label's hash, with its number in it; `a` is the first. */
uint64_t trace_goal_label_key(const struct trace_goal_label *label)
{
    return base_hash(label->b, label->number);
}

/* Prefixes are known by their hashes alone: two that agree in 128 bits are taken for one. */
static bool same_prefix(const struct trace_goal_label *left, const struct trace_goal_label *right)
{
    return left->a == right->a && left->b == right->b;
}

/* Whether a run begins behind a label. */
static bool is_behind(const struct trace_goal_run *run, const struct trace_goal_label *label)
{
    if (run->first.a != label->a)
        return run->first.a > label->a;
    if (run->first.b != label->b)
        return run->first.b > label->b;
    return run->first.number > label->number;
}

/* The first run that begins behind a label. */
static size_t find_behind(const struct trace_goal_labels *labels, const struct trace_goal_label *label)
{
    size_t from = 0, to = labels->count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (is_behind(&labels->runs[middle], label))
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* Whether the run before `behind` holds the label. */
static bool is_in_run(const struct trace_goal_labels *labels, size_t behind,
                      const struct trace_goal_label *label)
{
    return behind > 0 && same_prefix(&labels->runs[behind - 1].first, label) &&
           labels->runs[behind - 1].last >= label->number;
}

/* Labels beyond the most runs that are kept are in a table. */
static bool is_other(const struct trace_goal_labels *labels, const struct trace_goal_label *label)
{
    return labels->others.count > 0 &&
           base_table_get(&labels->others, label->a, trace_goal_label_key(label)) != BASE_TABLE_NONE;
}

/* O(log runs). */
bool trace_goal_labels_have(const struct trace_goal_labels *labels, const struct trace_goal_label *label)
{
    return is_in_run(labels, find_behind(labels, label), label) || is_other(labels, label);
}

/* A label that no run reaches: a run of its own, or, where there are too many, a place in the table. */
static int add_alone(struct trace_goal_labels *labels, size_t behind, const struct trace_goal_label *label)
{
    if (label->number == UINT64_MAX || labels->count == RUNS)
        return base_table_put(&labels->others, label->a, trace_goal_label_key(label), 0) != 0 ? -1 : 1;
    if (base_grow(&labels->runs, &labels->capacity, labels->count + 1, sizeof *labels->runs) != 0)
        return -1;
    memmove(&labels->runs[behind + 1], &labels->runs[behind],
            (labels->count++ - behind) * sizeof *labels->runs);
    labels->runs[behind] = (struct trace_goal_run){*label, label->number};
    labels->recent = behind;
    return 1;
}

/* Longer by one number at its end, and with the run behind it where they meet. */
static int lengthen(struct trace_goal_labels *labels, size_t at)
{
    struct trace_goal_run *run = &labels->runs[at];

    labels->recent = at;
    run->last++;
    if (at + 1 == labels->count || !same_prefix(&run[1].first, &run->first) ||
        run[1].first.number != run->last + 1)
        return 1;
    run->last = run[1].last;
    memmove(&run[1], &run[2], (--labels->count - at - 1) * sizeof *run);
    return 1;
}

/* Beyond the run that was added to last there is no other, which has met it, only the table. 1: added; 0: it was
 * there before; negative: no memory. The run that grew last is tried first. */
int trace_goal_labels_add(struct trace_goal_labels *labels, const struct trace_goal_label *label)
{
    size_t behind;

    if (is_other(labels, label))
        return 0;
    if (labels->recent < labels->count && same_prefix(&labels->runs[labels->recent].first, label) &&
        labels->runs[labels->recent].last + 1 == label->number)
        return lengthen(labels, labels->recent);
    behind = find_behind(labels, label);
    if (is_in_run(labels, behind, label))
        return 0;
    if (behind > 0 && same_prefix(&labels->runs[behind - 1].first, label) &&
        labels->runs[behind - 1].last + 1 == label->number)
        return lengthen(labels, behind - 1);
    if (behind == labels->count || !same_prefix(&labels->runs[behind].first, label) ||
        labels->runs[behind].first.number != label->number + 1)
        return add_alone(labels, behind, label);
    labels->runs[behind].first.number--;
    return 1;
}

/* For the next rank; the room for runs stays. */
void trace_goal_labels_clear(struct trace_goal_labels *labels)
{
    base_table_free(&labels->others);
    labels->count = labels->recent = 0;
}

/* Leaves a valid empty set. */
void trace_goal_labels_free(struct trace_goal_labels *labels)
{
    base_table_free(&labels->others);
    free(labels->runs);
    *labels = (struct trace_goal_labels){0};
}
