/* The syntax of GOAL as LogGOPSim's schedgen writes it: statements in any order, separated by white space; C
 * and C++ comments, and # to the end of the line. */
#include "traces/goal-block.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "traces/grow.h"

/* ---- text */

/* The position is that of the next character, so that a token can note where it began. */
static int get(struct trace_goal_text *text)
{
    int c = text->ahead >= 0 ? (int)text->ahead : getc(text->stream);

    text->ahead = -1;
    if (c == '\n') {
        text->next_line++;
        text->next_column = 0;
    }
    text->next_column++;
    return c;
}

/* One character is enough: no token needs to look further ahead. */
static void put_back(struct trace_goal_text *text, int c)
{
    if (c == EOF)
        return;
    text->ahead = c;
    text->next_column--;
    if (c == '\n')
        text->next_line--;
}

/* Every sentence of the reader has the same place in front: file, line, column of the token. */
int trace_goal_error(const struct trace_goal_text *text, struct base_error *error, const char *format, ...)
{
    struct base_position position = base_position_of(text->path);
    char sentence[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    position.line = text->line;
    position.column = text->column;
    return base_error_at(error, BASE_INPUT, &position, "%s", sentence);
}

/* To the end of the line, for // and #. */
static void skip_line(struct trace_goal_text *text)
{
    int c;
    while ((c = get(text)) != EOF && c != '\n')
        continue;
}

/* To the end of a comment of C. -1: it has none, and whatever follows would be left out without a word. */
static int skip_comment(struct trace_goal_text *text)
{
    int c, last = 0;
    while ((c = get(text)) != EOF && !(last == '*' && c == '/'))
        last = c;
    return c == EOF ? -1 : 0;
}

#define OPEN_COMMENT (-2) /* no character, and not EOF */

/* The first character of a token, or EOF. */
static int skip_space(struct trace_goal_text *text)
{
    for (;;) {
        int c = get(text), next;
        if (c == '#') {
            skip_line(text);
        } else if (c == '/') {
            next = get(text);
            if (next == '*' && skip_comment(text) != 0)
                return OPEN_COMMENT;
            else if (next == '*')
                continue;
            else if (next == '/')
                skip_line(text);
            else {
                put_back(text, next);
                return c;
            }
        } else if (c == EOF || !isspace(c)) {
            return c;
        }
    }
}

/* What labels and numbers with their units consist of; everything else is a token by itself. */
static bool is_word(int c)
{
    return c != EOF && (isalnum(c) || c == '_' || c == '.' || c == '-');
}

/* Tokens are short: a longer one is no schedule, and is refused before it fills any memory. A byte that is no
 * character is refused too, above all one of 0, which would look like the end of the file. */
int trace_goal_next(struct trace_goal_text *text, struct base_error *error)
{
    size_t length = 0;
    int c = skip_space(text);

    text->line = text->next_line;
    text->column = text->next_column - 1;
    text->token[0] = '\0';
    if (c == EOF)
        return 0;
    if (c == OPEN_COMMENT)
        return trace_goal_error(text, error, "the file ends inside of a comment");
    if (c < ' ' || c > '~')
        return trace_goal_error(text, error, "a byte of %d is no text", c);
    text->token[length++] = (char)c;
    while (is_word(c)) {
        c = get(text);
        if (!is_word(c)) {
            put_back(text, c);
            break;
        }
        if (length == sizeof text->token - 1)
            return trace_goal_error(text, error, "a word of more than %zu characters", length);
        text->token[length++] = (char)c;
    }
    text->token[length] = '\0';
    return 0;
}

/* Checked against a limit digit by digit, so that no number wraps around. */
int trace_goal_number(const struct trace_goal_text *text, const char *unit, uint64_t most, uint64_t *number,
                      struct base_error *error)
{
    const char *digit = text->token;
    uint64_t value = 0;

    for (; *digit >= '0' && *digit <= '9'; digit++) {
        uint64_t units = (uint64_t)(*digit - '0');
        if (value > most / 10 || 10 * value > most || units > most - 10 * value)
            return trace_goal_error(text, error, "%s is over %" PRIu64, text->token, most);
        value = 10 * value + units;
    }
    if (digit == text->token || (*digit != '\0' && (unit == NULL || strcmp(digit, unit) != 0)))
        return trace_goal_error(text, error, "a number was expected, not '%s'",
                                text->token[0] == '\0' ? "the end of the file" : text->token);
    *number = value;
    return 0;
}

/* ---- a block */

struct parser {
    struct trace_goal_block *block;
    struct trace_goal_text *text;
    struct base_table labels; /* two hashes of a label -> operation */
    uint32_t ranks;
    uint64_t message_limit_bytes;
    struct base_error *error;
};

/* The one sentence for all failed allocations of a block. */
static int no_memory(const struct parser *parser)
{
    return base_error_memory(parser->error, "the operations of a rank");
}

/* The next token must be this word. */
static int expect(struct parser *parser, const char *word)
{
    if (trace_goal_next(parser->text, parser->error) != 0)
        return -1;
    if (strcmp(parser->text->token, word) == 0)
        return 0;
    return trace_goal_error(parser->text, parser->error, "'%s' was expected, not '%s'", word,
                            parser->text->token[0] == '\0' ? "the end of the file" : parser->text->token);
}

/* The next token must be a number; sizes have their unit right behind it. */
static int next_number(struct parser *parser, const char *unit, uint64_t most, uint64_t *number)
{
    if (trace_goal_next(parser->text, parser->error) != 0)
        return -1;
    return trace_goal_number(parser->text, unit, most, number, parser->error);
}

/* Labels are known by two hashes of 64 bits with different starts. */
static void hash_label(const char *label, uint64_t *a, uint64_t *b)
{
    *a = 1;
    *b = 2;
    for (; *label != '\0'; label++) {
        *a = base_hash(*a, (unsigned char)*label);
        *b = base_hash(*b, (unsigned char)*label);
    }
}

/* tag, cpu and nic, in any order, as many as there are. The token behind them has been read. */
static int read_options(struct parser *parser, struct trace_goal_op *op)
{
    for (;;) {
        const char *token = parser->text->token;
        uint64_t number;
        bool tag, cpu;
        if (trace_goal_next(parser->text, parser->error) != 0)
            return -1;
        tag = strcmp(token, "tag") == 0 && op->kind != TRACE_GOAL_CALC;
        cpu = strcmp(token, "cpu") == 0;
        if (!tag && !cpu && strcmp(token, "nic") != 0)
            return 0;
        if (next_number(parser, NULL, UINT32_MAX - 1, &number) != 0)
            return -1;
        if (tag)
            op->tag = (uint32_t)number;
        if (cpu)
            op->cpu = (uint32_t)number;
    }
}

/* Behind its first word, which is the present token. Reads one token too far. */
static int read_op(struct parser *parser)
{
    struct trace_goal_block *block = parser->block;
    const char *token = parser->text->token;
    struct trace_goal_op op = {.kind = strcmp(token, "calc") == 0   ? TRACE_GOAL_CALC
                                       : strcmp(token, "send") == 0 ? TRACE_GOAL_SEND
                                                                    : TRACE_GOAL_RECV};
    bool message = op.kind != TRACE_GOAL_CALC;
    uint64_t peer;

    if (next_number(parser, message ? "b" : NULL, message ? parser->message_limit_bytes : INT64_MAX / 2,
                    &op.value) != 0)
        return -1;
    if (message && (expect(parser, op.kind == TRACE_GOAL_SEND ? "to" : "from") != 0 ||
                    next_number(parser, NULL, UINT32_MAX, &peer) != 0))
        return -1;
    if (message && peer >= parser->ranks)
        return trace_goal_error(parser->text, parser->error, "rank %" PRIu64 " of %" PRIu32, peer,
                                parser->ranks);
    op.peer = message ? (uint32_t)peer : 0;
    if (read_options(parser, &op) != 0)
        return -1;
    block->other_cpus += op.cpu != 0;
    if (block->count >= UINT32_MAX - 1 ||
        trace_grow(&block->ops, &block->capacity, block->count + 1, sizeof *block->ops) != 0)
        return no_memory(parser);
    block->ops[block->count++] = op;
    return 0;
}

/* The words that begin an operation, and so cannot be labels. */
static bool is_op(const char *token)
{
    return strcmp(token, "calc") == 0 || strcmp(token, "send") == 0 || strcmp(token, "recv") == 0;
}

/* The operation of the present token's label, or an error. */
static int find_label(struct parser *parser, uint32_t *op)
{
    uint64_t a, b;

    hash_label(parser->text->token, &a, &b);
    *op = base_table_get(&parser->labels, a, b);
    return *op != BASE_TABLE_NONE
               ? 0
               : trace_goal_error(parser->text, parser->error, "there is no operation '%s' before this",
                                  parser->text->token);
}

/* A label names the operation behind it; its number is known before that is read. */
static int define_label(struct parser *parser, uint64_t a, uint64_t b)
{
    if (base_table_get(&parser->labels, a, b) != BASE_TABLE_NONE)
        return trace_goal_error(parser->text, parser->error, "the label is used twice");
    if (base_table_put(&parser->labels, a, b, (uint32_t)parser->block->count) != 0)
        return no_memory(parser);
    if (trace_goal_next(parser->text, parser->error) != 0)
        return -1;
    if (!is_op(parser->text->token))
        return trace_goal_error(parser->text, parser->error, "calc, send or recv was expected, not '%s'",
                                parser->text->token);
    return read_op(parser);
}

/* "a requires b": `from` is the operation of the label before. Reads one token too far. */
static int read_edge(struct parser *parser, uint32_t from, bool started_only)
{
    struct trace_goal_block *block = parser->block;
    uint32_t to;

    if (trace_goal_next(parser->text, parser->error) != 0 || find_label(parser, &to) != 0)
        return -1;
    if (block->edge_count >= UINT32_MAX - 1 ||
        trace_grow(&block->edges, &block->edge_capacity, block->edge_count + 1, sizeof *block->edges) != 0)
        return no_memory(parser);
    block->edges[block->edge_count++] = (struct trace_goal_edge){from, to, started_only};
    return trace_goal_next(parser->text, parser->error);
}

/* A statement that begins with a label. Its operation is looked for before the next token takes its place. */
static int read_labelled(struct parser *parser)
{
    uint64_t a, b;
    uint32_t from;
    struct trace_goal_text place = *parser->text;
    bool requires, irequires;

    hash_label(parser->text->token, &a, &b);
    from = base_table_get(&parser->labels, a, b);
    if (trace_goal_next(parser->text, parser->error) != 0)
        return -1;
    if (strcmp(parser->text->token, ":") == 0)
        return define_label(parser, a, b);
    requires = strcmp(parser->text->token, "requires") == 0;
    irequires = strcmp(parser->text->token, "irequires") == 0;
    if (!requires && !irequires)
        return trace_goal_error(parser->text, parser->error,
                                "':' or requires was expected behind '%s', not '%s'", place.token,
                                parser->text->token);
    if (from == BASE_TABLE_NONE)
        return trace_goal_error(&place, parser->error, "there is no operation '%s' before this", place.token);
    return read_edge(parser, from, irequires);
}

/* Schedules are written by programs, but also by hand: an operation may go without a label when nothing
 * refers to it. */
static int read_statements(struct parser *parser)
{
    if (trace_goal_next(parser->text, parser->error) != 0)
        return -1;
    while (strcmp(parser->text->token, "}") != 0) {
        if (parser->text->token[0] == '\0')
            return trace_goal_error(parser->text, parser->error, "the file ends inside of a rank");
        if ((is_op(parser->text->token) ? read_op(parser) : read_labelled(parser)) != 0)
            return -1;
    }
    return 0;
}

/* The arrays stay: the next rank needs about as much as the last. */
static void clear(struct trace_goal_block *block)
{
    block->count = block->edge_count = 0;
    block->approximated = block->other_cpus = 0;
}

/* The order is made here too, so that a circle is found while the place in the file is known. */
int trace_goal_block_read(struct trace_goal_block *block, struct trace_goal_text *text, uint32_t ranks,
                          uint64_t message_limit_bytes, struct base_error *error)
{
    struct parser parser = {.block = block,
                            .text = text,
                            .ranks = ranks,
                            .message_limit_bytes = message_limit_bytes,
                            .error = error};
    uint32_t knot = 0;
    int result;

    clear(block);
    result = read_statements(&parser);
    base_table_free(&parser.labels);
    if (result != 0)
        return -1;
    result = trace_goal_block_sort(block, &knot);
    if (result > 0)
        return trace_goal_error(text, error, "operation %" PRIu32 " of this rank requires itself, by others",
                                knot + 1);
    return result < 0 ? no_memory(&parser) : 0;
}

/* Leaves an empty block, which can be read into again. */
void trace_goal_block_free(struct trace_goal_block *block)
{
    free(block->ops);
    free(block->edges);
    free(block->order);
    *block = (struct trace_goal_block){0};
}
