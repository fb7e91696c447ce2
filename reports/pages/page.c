/* A page of readable text.
 *
 * stdio's own buffer holds the page, and its error flag the first failed write. Texts of cells come from
 * printf, so that callers format numbers where they know what they mean; they are made printable here, in one
 * place, whatever trace or path they come from. */
#include "reports/pages/markup.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/build.h"
#include "base/units.h"
#include "reports/pages/clean.h"

#define NARROWEST 60
#define INDENT 2     /* of a table */
#define GAP 2        /* between its columns */
#define BAR_MOST 32  /* characters of a bar */
#define CELL_MOST 72 /* characters of a cell that is not wrapped */

/* Narrower pages would break the tables. */
void report_page_begin(struct report_page *page, FILE *stream, unsigned width)
{
    *page = (struct report_page){
        .form = &report_page_text, .stream = stream, .width = width < NARROWEST ? NARROWEST : width};
}

/* A failed write is found here at the latest: stdio remembers it. Memory comes first: a page that lacks cells
 * is wrong even where every byte of it was written. */
int report_page_finish(struct report_page *page, struct base_error *error)
{
    int number;

    page->form->finish(page);
    number = errno; /* of the last write that failed, if one did */
    base_arena_free(&page->arena);
    if (page->failed)
        return base_error_memory(error, "the report");
    if (ferror(page->stream))
        return base_error_system(error, number, "the report cannot be written");
    return 0;
}

/* Padding goes through printf, which needs no buffer of ours. */
static void put_spaces(struct report_page *page, size_t count)
{
    fprintf(page->stream, "%*s", (int)count, "");
}

/* A printable copy in the arena of what the format gives, or NULL. Measured first and printed after, hence
 * the copy of the arguments: a list can be walked once. After a failure nothing more is composed. */
__attribute__((format(printf, 2, 0))) static const char *compose(struct report_page *page, const char *format,
                                                                 va_list arguments)
{
    va_list again;
    char *raw, *clean;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0 || page->failed)
        return NULL;
    raw = base_arena_alloc(&page->arena, (size_t)length + 1);
    if (raw == NULL)
        return NULL;
    vsnprintf(raw, (size_t)length + 1, format, arguments);
    clean = base_arena_alloc(&page->arena, report_clean_room(raw));
    return clean == NULL ? NULL : report_clean_printable(raw, clean);
}

/* isdigit asks the locale. Reports must not change with the user's language. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The units that base/units.h writes. */
static bool is_unit(const char *word)
{
    static const char *const units[] = {"ns", "us", "ms", "s", "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t length = strcspn(word, " ,;.:)");

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i]) == length && strncmp(units[i], word, length) == 0)
            return true;
    return false;
}

/* The bytes of the next piece that no line may break: a word, with the number that belongs to it ("MPI_Send
 * 15", "--seed 1"), the groups of a long number ("2 503") and a number's unit ("4.0 KiB"). */
static size_t piece_bytes(const char *text)
{
    size_t bytes = strcspn(text, " ");

    while (bytes > 0 && text[bytes] == ' ') {
        const char *next = text + bytes + 1;
        if (!is_digit(*next) && *next != '%' && !(is_digit(text[bytes - 1]) && is_unit(next)))
            break;
        bytes += 1 + strcspn(next, " ");
    }
    return bytes;
}

/* Prints text from column `start` on, where the cursor is; further lines are indented by as much. A piece
 * that is wider than the line stands on a line of its own. Columns are characters of UTF-8, of which
 * continuing bytes are not counted. */
static void put_words(struct report_page *page, size_t start, const char *text)
{
    size_t at = start;

    while (*text != '\0') {
        size_t bytes = piece_bytes(text), columns = 0;
        for (size_t i = 0; i < bytes; i++)
            columns += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (at > start && at + 1 + columns > page->width) {
            fputc('\n', page->stream);
            put_spaces(page, start);
            at = start;
        } else if (at > start) {
            fputc(' ', page->stream);
            at++;
        }
        fwrite(text, 1, bytes, page->stream);
        at += columns;
        text += bytes;
        text += strspn(text, " ");
    }
    fputc('\n', page->stream);
}

void report_page_heading(struct report_page *page, const char *text)
{
    page->form->heading(page, text);
}

/* The text is made in the arena, which lives until the page or the open table ends. */
void report_page_paragraph(struct report_page *page, unsigned indent, const char *format, ...)
{
    va_list arguments;
    const char *text;

    va_start(arguments, format);
    text = compose(page, format, arguments);
    va_end(arguments);
    if (text == NULL)
        page->failed = true;
    else
        page->form->paragraph(page, indent, text);
}

void report_page_gap(struct report_page *page)
{
    page->form->gap(page);
}

/* Cells are collected first: a column is as wide as its widest cell. */
void report_page_table(struct report_page *page, const char *alignment)
{
    page->alignment = alignment;
    page->cell_count = page->head_cells = 0;
}

/* Room for one cell more. The arena keeps the smaller array, at most as large again as the new one. */
static bool grow(struct report_page *page)
{
    size_t capacity = page->cell_capacity == 0 ? 64 : 2 * page->cell_capacity;
    const char **cells;

    if (page->cell_count < page->cell_capacity)
        return true;
    cells = base_arena_array(&page->arena, capacity, sizeof *cells);
    if (cells == NULL)
        return false;
    if (page->cell_count > 0)
        memcpy(cells, page->cells, page->cell_count * sizeof *cells);
    page->cells = cells;
    page->cell_capacity = capacity;
    return true;
}

/* A copy of the beginning and an ellipsis (U+2026) in the arena, where the text is longer than any column
 * should be: names in traces may have thousands of characters, and a column is as wide as its widest cell.
 * NULL: memory. */
static const char *cut(struct report_page *page, const char *text)
{
    size_t bytes = report_clean_cut(text, CELL_MOST);

    if (text[bytes] != '\0')
        return base_arena_format(&page->arena, "%.*s\xe2\x80\xa6", (int)bytes, text);
    return text;
}

/* One cell a call: a row that does not fit its table shows at once in the output. */
void report_page_cell(struct report_page *page, const char *format, ...)
{
    va_list arguments;
    const char *text;

    va_start(arguments, format);
    text = compose(page, format, arguments);
    va_end(arguments);
    if (text != NULL && page->cell_count % strlen(page->alignment) + 1 < strlen(page->alignment))
        text = cut(page, text);
    if (text == NULL || !grow(page)) {
        page->failed = true;
        return;
    }
    page->cells[page->cell_count++] = text;
}

/* Text shows no difference: its readers see that a row of words heads a column of numbers. */
void report_page_head(struct report_page *page)
{
    page->head_cells = page->cell_count;
}

/* What is no share (less than nothing, more than all) has no bar: the number beside it stands. */
void report_page_bar(struct report_page *page, double share, int columns)
{
    double length = share > 0 && share <= 1 ? share * (columns < BAR_MOST ? columns : BAR_MOST) : 0;

    page->form->bar(page, length);
}

void report_page_titles(struct report_page *page, const char *titles)
{
    page->form->titles(page, titles);
}

/* The last cell of a row: wrapped when it is aligned to the left, and never followed by spaces. */
static void put_last(struct report_page *page, size_t start, size_t column_width, char alignment,
                     const char *text)
{
    if (alignment != 'r') {
        put_words(page, start, text);
        return;
    }
    put_spaces(page, column_width - report_clean_columns(text));
    fprintf(page->stream, "%s\n", text);
}

/* Columns are counted in characters, not bytes. */
static void put_row(struct report_page *page, const char *const *cells, const size_t *widths, size_t columns)
{
    size_t start = INDENT;

    while (columns > 1 && *cells[columns - 1] == '\0') /* no line ends in spaces */
        columns--;
    put_spaces(page, INDENT);
    for (size_t i = 0; i + 1 < columns; i++) {
        size_t padding = widths[i] - report_clean_columns(cells[i]);
        put_spaces(page, page->alignment[i] == 'r' ? padding : 0);
        fputs(cells[i], page->stream);
        put_spaces(page, (page->alignment[i] == 'r' ? 0 : padding) + GAP);
        start += widths[i] + GAP;
    }
    put_last(page, start, widths[columns - 1], page->alignment[columns - 1], cells[columns - 1]);
}

/* A row that was begun and not finished is left out; it would be a mistake of ours. */
static void put_table(struct report_page *page)
{
    size_t columns = strlen(page->alignment);
    size_t widths[REPORT_PAGE_COLUMNS] = {0};

    for (size_t i = 0; !page->failed && i < page->cell_count; i++) {
        size_t needed = report_clean_columns(page->cells[i]);
        if (needed > widths[i % columns])
            widths[i % columns] = needed;
    }
    for (size_t i = 0; !page->failed && i + columns <= page->cell_count; i += columns)
        put_row(page, page->cells + i, widths, columns);
}

/* Headings stand at the margin and what belongs to them is indented. */
static void put_heading(struct report_page *page, const char *text)
{
    fprintf(page->stream, "\n%s\n", text);
}

static void put_paragraph(struct report_page *page, unsigned indent, const char *text)
{
    put_spaces(page, indent);
    put_words(page, indent, text);
}

static void put_gap(struct report_page *page)
{
    fputc('\n', page->stream);
}

/* Columns are explained by the heading. */
static void leave_titles(struct report_page *page, const char *titles)
{
    (void)page;
    (void)titles;
}

/* What is more than nothing has a character. */
static void put_bar(struct report_page *page, double length)
{
    static const char bar[BAR_MOST + 1] = "################################";
    int whole = (int)(length + 0.5);

    report_page_cell(page, "%.*s", length > 0 && whole == 0 ? 1 : whole, bar);
}

/* Nothing was kept back. */
static void finish_text(struct report_page *page)
{
    (void)page;
}

const struct report_page_form report_page_text = {.heading = put_heading,
                                                  .paragraph = put_paragraph,
                                                  .gap = put_gap,
                                                  .titles = leave_titles,
                                                  .bar = put_bar,
                                                  .table = put_table,
                                                  .finish = finish_text};

/* The arena goes with the table: pages of a thousand tables hold the cells of one. */
void report_page_table_end(struct report_page *page)
{
    page->form->table(page);
    base_arena_free(&page->arena);
    page->cells = NULL;
    page->cell_count = page->cell_capacity = 0;
}

/* Two cells of the table of provenance. NULL: nobody knows it, and there is no row. */
void report_page_command(struct report_page *page, const char *command)
{
    if (command == NULL)
        return;
    report_page_cell(page, "command");
    report_page_cell(page, "%s", command);
}

/* Two cells, too. The build says more than the version: see base/build.h. */
void report_page_program(struct report_page *page)
{
    report_page_cell(page, "version");
    report_page_cell(page, "flitreplay %s", base_build());
}

/* One decimal: finer differences between shares mean nothing in a model. */
char *report_page_share(double share, char text[REPORT_NUMBER_TEXT])
{
    char number[REPORT_NUMBER_TEXT];

    if (!isfinite(share))
        snprintf(text, REPORT_NUMBER_TEXT, "-");
    else
        snprintf(text, REPORT_NUMBER_TEXT, "%.20s %%", report_page_real(100 * share, 1, number));
    return text;
}

/* What rounds to nothing has no sign. */
static void drop_sign(char *text)
{
    if (text[0] == '-' && text[1 + strspn(text + 1, "0.")] == '\0')
        memmove(text, text + 1, strlen(text));
}

/* Numbers without end in a column would push it off the page. */
char *report_page_real(double value, int decimals, char text[REPORT_NUMBER_TEXT])
{
    if (!isfinite(value))
        snprintf(text, REPORT_NUMBER_TEXT, "-");
    else if (fabs(value) >= 1e9)
        snprintf(text, REPORT_NUMBER_TEXT, "%.3g", value);
    else
        snprintf(text, REPORT_NUMBER_TEXT, "%.*f", decimals, value);
    if (isfinite(value))
        drop_sign(text);
    return text;
}

/* A decimal is noise in a large number, while groups of digits help to read it. */
char *report_page_amount(double value, char text[REPORT_NUMBER_TEXT])
{
    if (value >= 1000 && value < 1e15)
        return base_format_count((uint64_t)(value + 0.5), text);
    return report_page_real(value, 1, text);
}

/* What is NAN fails the first comparison. */
char *report_page_expected_bytes(double bytes, char text[REPORT_NUMBER_TEXT])
{
    if (bytes >= 0 && bytes < 1e18)
        return base_format_bytes((uint64_t)(bytes + 0.5), text);
    snprintf(text, REPORT_NUMBER_TEXT, "-");
    return text;
}
