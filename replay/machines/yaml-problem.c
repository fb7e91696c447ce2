/* Two places of libyaml, the problem's and that of what was being read, become one sentence. */
#include "replay/machines/yaml-problem.h"

#include <string.h>

/* Bytes that are no UTF-8 have an offset and no line. */
static size_t line_of_offset(const struct base_input *input, size_t offset)
{
    size_t line = 1;

    for (size_t i = 0; i < offset && i < input->size; i++)
        line += input->bytes[i] == '\n';
    return line;
}

int replay_yaml_refuse(const yaml_parser_t *parser, const struct base_input *input, const char *what,
                       struct base_error *error)
{
    struct base_position position = base_position_of(input->path);
    const yaml_mark_t *place = &parser->problem_mark, *begin = &parser->context_mark;
    const char *problem = parser->problem == NULL ? "this is not YAML" : parser->problem;

    if (parser->error == YAML_MEMORY_ERROR)
        return base_error_memory(error, what);
    if (parser->error == YAML_READER_ERROR) {
        position.line = (int64_t)line_of_offset(input, parser->problem_offset);
        position.offset = (int64_t)parser->problem_offset;
        return base_error_at(error, BASE_INPUT, &position,
                             "%s; YAML is UTF-8 text without control characters", problem);
    }
    position.line = (int64_t)place->line + 1;
    position.column = (int64_t)place->column + 1;
    base_error_at(error, BASE_INPUT, &position, "%s", problem);
    if (parser->context != NULL && (begin->line != place->line || begin->column != place->column))
        base_error_append(error, " %s that begins in line %zu, column %zu", parser->context, begin->line + 1,
                          begin->column + 1);
    /* At the end of a file the parser stands behind the last line. */
    for (size_t line = place->line + 1; line > 0 && !base_input_quote(input, line, error); line--) {
    }
    return -1;
}
