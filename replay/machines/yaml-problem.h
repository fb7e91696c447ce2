/* What libyaml refuses of a text, as an error at its place. */
#ifndef REPLAY_MACHINES_YAML_PROBLEM_H
#define REPLAY_MACHINES_YAML_PROBLEM_H

#include <yaml.h>

#include "base/input.h"

/* The parser has failed while it read the input, which errors about memory call `what`. The sentence also says where
 * the parser began what it could not end (a bracket, a quotation), and quotes the line, or the last one before it that
 * has a text. Returns -1. */
int replay_yaml_refuse(const yaml_parser_t *parser, const struct base_input *input, const char *what,
                       struct base_error *error);

#endif
