/* Statements of a block become nodes and edges of its graph, one at a time and only when the graph has
 * nothing more to give out. Errors are found in the order of the file: a label that is used twice or was
 * never used is one at once, since all labels are known (labels.h); that operations wait for each other
 * in a circle is known at the end.
 *
 *     text (text.h) ─► read_statement ─┬─► read_op        send, recv or calc: a node
 *                                      └─► read_edge      requires, irequires: an edge
 *     graph (graph.h) ─► trace_goal_graph_next: a step, or "read on" (TRACE_GOAL_MORE) */
#include "traces/goal/block.h"

#include <inttypes.h>
#include <string.h>

/* What the functions here return: 0, one of the graph's answers, or SAID: there is a sentence. */
#define SAID (-4)

/* The first token is read by the first call of next, which can fail. */
void trace_goal_block_begin(struct trace_goal_block *block, const struct trace_goal_reach *reach)
{
    trace_goal_graph_begin(&block->graph, reach, block->labels != NULL);
    if (block->labels != NULL)
        trace_goal_labels_clear(block->labels);
    block->has_begun = false;
}

/* Text and labels are borrowed. */
void trace_goal_block_free(struct trace_goal_block *block)
{
    trace_goal_graph_free(&block->graph);
}

/* What a graph has found holds for windows of no more than its own, which it has to be within. */
struct trace_goal_reach trace_goal_block_reach(const struct trace_goal_block *block)
{
    const struct trace_goal_graph *graph = &block->graph;
    struct trace_goal_reach reach = graph->found;

    reach.ahead += reach.settle + 2;
    if (reach.ahead > graph->reach.ahead)
        reach.ahead = graph->reach.ahead;
    return reach;
}

/* ---- tokens */

/* Whether the token is this literal: compilers make a comparison of a few bytes of it. */
#define IS(text, word)                                                                                       \
    ((text)->length == sizeof(word) - 1 && memcmp((text)->token, word, sizeof(word) - 1) == 0)

/* 0 or SAID. */
static int next_token(const struct trace_goal_block *block, struct base_error *error)
{
    return trace_goal_next(block->text, error) != 0 ? SAID : 0;
}

/* For messages: the end of the file is no word. */
static const char *shown(const struct trace_goal_text *text)
{
    return text->token[0] == '\0' ? "the end of the file" : text->token;
}

/* The next token must be this word. */
static int expect(const struct trace_goal_block *block, const char *word, struct base_error *error)
{
    if (next_token(block, error) != 0)
        return SAID;
    if (strcmp(block->text->token, word) == 0)
        return 0;
    trace_goal_error(block->text, error, "'%s' was expected, not '%s'", word, shown(block->text));
    return SAID;
}

/* The next token must be a number; sizes have their unit right behind it. */
static int next_number(const struct trace_goal_block *block, const char *unit, uint64_t most,
                       uint64_t *number, struct base_error *error)
{
    if (next_token(block, error) != 0)
        return SAID;
    return trace_goal_number(block->text, unit, most, number, error) != 0 ? SAID : 0;
}

/* -1, which stands for MPI_ANY_SOURCE and MPI_ANY_TAG; LogGOPSim keeps it as 2^32 - 1, and reads that as the
 * same. */
static bool is_any(const struct trace_goal_text *text)
{
    return IS(text, "-1") || IS(text, "4294967295");
}

/* A rank or a tag. Only a receive may leave it open. */
static int next_name(const struct trace_goal_block *block, const struct trace_goal_op *op, uint32_t *name,
                     struct base_error *error)
{
    uint64_t number;

    if (next_token(block, error) != 0)
        return SAID;
    *name = TRACE_GOAL_ANY;
    if (is_any(block->text) && op->kind == TRACE_GOAL_RECV)
        return 0;
    if (is_any(block->text)) {
        trace_goal_error(block->text, error, "%s stands for any rank or tag, which only a recv may use",
                         block->text->token);
        return SAID;
    }
    if (trace_goal_number(block->text, NULL, UINT32_MAX - 1, &number, error) != 0)
        return SAID;
    *name = (uint32_t)number;
    return 0;
}

/* ---- operations */

/* tag, cpu and nic, in any order, as many as there are. The token behind them has been read. */
static int read_options(const struct trace_goal_block *block, struct trace_goal_op *op,
                        struct base_error *error)
{
    for (;;) {
        const struct trace_goal_text *text = block->text;
        uint64_t number = 0;
        bool tag, cpu;
        if (next_token(block, error) != 0)
            return SAID;
        tag = IS(text, "tag") && op->kind != TRACE_GOAL_CALC;
        cpu = IS(text, "cpu");
        if (!tag && !cpu && !IS(text, "nic"))
            return 0;
        if (tag ? next_name(block, op, &op->tag, error) != 0
                : next_number(block, NULL, UINT32_MAX - 1, &number, error) != 0)
            return SAID;
        if (cpu)
            op->is_other_cpu = number != 0;
    }
}

/* "8b to 1", behind send or recv. */
static int read_message(const struct trace_goal_block *block, struct trace_goal_op *op,
                        struct base_error *error)
{
    if (next_number(block, "b", block->message_limit_bytes, &op->value, error) != 0 ||
        expect(block, op->kind == TRACE_GOAL_SEND ? "to" : "from", error) != 0 ||
        next_name(block, op, &op->peer, error) != 0)
        return SAID;
    if (op->peer < block->ranks || op->peer == TRACE_GOAL_ANY)
        return 0;
    trace_goal_error(block->text, error, "there is no rank %" PRIu32 " among %" PRIu32, op->peer,
                     block->ranks);
    return SAID;
}

/* Behind its first word, which is the present token. Reads one token too far. `label` is NULL for an operation
 * without one. Numbers are checked against what the program may have: ranks, and the limit of messages. */
static int read_op(struct trace_goal_block *block, const struct trace_goal_label *label,
                   struct base_error *error)
{
    const struct trace_goal_text *text = block->text;
    struct trace_goal_op op = {.kind = IS(text, "calc")   ? TRACE_GOAL_CALC
                                       : IS(text, "send") ? TRACE_GOAL_SEND
                                                          : TRACE_GOAL_RECV};
    int result = op.kind == TRACE_GOAL_CALC ? next_number(block, NULL, INT64_MAX / 2, &op.value, error)
                                            : read_message(block, &op, error);

    if (result == 0)
        result = read_options(block, &op, error);
    if (result == 0 && block->visit != NULL && block->visit(block->context, block->graph.count, &op) != 0)
        result = TRACE_GOAL_MEMORY;
    return result != 0 ? result : trace_goal_graph_add(&block->graph, &op, label);
}

/* The words that begin an operation, and so cannot be labels. */
static bool is_op(const struct trace_goal_text *text)
{
    return IS(text, "calc") || IS(text, "send") || IS(text, "recv");
}

/* A label names the operation behind it. */
static int define_label(struct trace_goal_block *block, const struct trace_goal_label *label,
                        struct base_error *error)
{
    int is_new = block->labels == NULL ? 1 : trace_goal_labels_add(block->labels, label);

    if (is_new < 0)
        return TRACE_GOAL_MEMORY;
    if (is_new == 0) {
        trace_goal_error(block->text, error, "the label is used twice");
        return SAID;
    }
    if (next_token(block, error) != 0)
        return SAID;
    if (is_op(block->text))
        return read_op(block, label, error);
    trace_goal_error(block->text, error, "calc, send or recv was expected, not '%s'", block->text->token);
    return SAID;
}

/* ---- requirements */

/* The place of a token that is not the present one any more. */
struct earlier {
    int64_t line, column;        /* from 1 */
    char token[TRACE_GOAL_WORD]; /* for the message: the text has gone on */
};

/* Whether a label was never used before; whoever reads a block that was checked need not ask. */
static bool is_unknown(const struct trace_goal_block *block, const struct trace_goal_label *label)
{
    return block->labels != NULL && !trace_goal_labels_have(block->labels, label);
}

/* "a requires b": `from` is the operation of the label before, and may be forgotten, which is too far. Reads
 * one token too far. Only an operation of the window can be required; a label that was used before it is too far
 * (TRACE_GOAL_FAR). */
static int read_edge(struct trace_goal_block *block, uint32_t from, bool is_started_only,
                     struct base_error *error)
{
    struct trace_goal_label label;
    uint32_t to;
    int result;

    if (from == TRACE_GOAL_NONE)
        return block->labels != NULL ? TRACE_GOAL_FAR : TRACE_GOAL_CHANGED;
    if (next_token(block, error) != 0)
        return SAID;
    label = trace_goal_label_as(&block->prefix, block->text->token, block->text->length);
    to = trace_goal_graph_find(&block->graph, &label);
    if (to == TRACE_GOAL_NONE && is_unknown(block, &label)) {
        trace_goal_error(block->text, error, "there is no operation '%s' before this", block->text->token);
        return SAID;
    }
    result = trace_goal_graph_require(&block->graph, from, to, is_started_only);
    return result != 0 ? result : next_token(block, error);
}

/* A statement that begins with a label, which is noted before the next token takes its place. A colon
 * makes it a definition, requires and irequires an edge from what it names. */
static int read_labelled(struct trace_goal_block *block, struct base_error *error)
{
    struct trace_goal_text *text = block->text;
    const struct trace_goal_label label = trace_goal_label_as(&block->prefix, text->token, text->length);
    uint32_t from;
    struct earlier before = {text->line, text->column, ""};
    bool requires, irequires;

    memcpy(before.token, text->token, text->length + 1);
    if (next_token(block, error) != 0)
        return SAID;
    if (IS(text, ":"))
        return define_label(block, &label, error);
    requires = IS(text, "requires");
    irequires = IS(text, "irequires");
    if (!requires && !irequires) {
        trace_goal_error(text, error, "':' or requires was expected behind '%s', not '%s'", before.token,
                         text->token);
        return SAID;
    }
    from = trace_goal_graph_find(&block->graph, &label);
    if (from != TRACE_GOAL_NONE || !is_unknown(block, &label))
        return read_edge(block, from, irequires, error);
    text->line = before.line;
    text->column = before.column;
    trace_goal_error(text, error, "there is no operation '%s' before this", before.token);
    return SAID;
}

/* ---- all of it */

/* The statement at the present token, or the end of the block. Schedules are written by programs, but also by
 * hand: an operation may go without a label when nothing refers to it. */
static int read_statement(struct trace_goal_block *block, struct base_error *error)
{
    const struct trace_goal_text *text = block->text;

    if (!block->has_begun && next_token(block, error) != 0)
        return SAID;
    block->has_begun = true;
    if (IS(text, "}"))
        return trace_goal_graph_end(&block->graph);
    if (is_op(text))
        return read_op(block, NULL, error);
    if (text->token[0] != '\0')
        return read_labelled(block, error);
    trace_goal_error(block->text, error, "the file ends inside a rank");
    return SAID;
}

/* Makes a sentence of what has none. A file that cannot be read ends too early: that is said first. */
static int fail(const struct trace_goal_block *block, int result, struct base_error *error)
{
    if (block->text->failed != 0)
        return base_error_system(error, block->text->failed, "%s", block->text->path);
    switch (result) {
    case TRACE_GOAL_MEMORY:
        return base_error_memory(error, "the operations of a rank");
    case TRACE_GOAL_CHANGED:
        return trace_goal_error(block->text, error, "the schedule has changed since it was opened");
    case TRACE_GOAL_CIRCLE:
        return trace_goal_error(block->text, error,
                                "operation %" PRIu64 " of this rank requires itself through others",
                                trace_goal_graph_knot(&block->graph) + 1);
    default:
        return -1;
    }
}

/* One of the graph's answers: a step, the end of the block, too far, or -1 with a sentence. */
int trace_goal_block_next(struct trace_goal_block *block, struct trace_goal_step *step,
                          struct base_error *error)
{
    int result;

    while ((result = trace_goal_graph_next(&block->graph, step)) == TRACE_GOAL_MORE) {
        result = read_statement(block, error);
        if (result != 0)
            break;
    }
    return result == TRACE_GOAL_STEP || result == TRACE_GOAL_OVER || result == TRACE_GOAL_FAR
               ? result
               : fail(block, result, error);
}
