/* The long work is stopped before it begins: what is fuzzed is what becomes of a text until then. Experiments may name
 * files to write, which no fuzzer should: those that do are no inputs. */
#include <config.h>

#include "tests/fuzz/request.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/library/flitreplay.h"

#define SIZE_MOST 16384

static const struct fuzz_request_kind kinds[] = {
#define FUZZ_REQUEST(...) {__VA_ARGS__},
#include "tests/fuzz/requests.def"
#undef FUZZ_REQUEST
};

/* A fuzzer calls a function without a state of ours. */
static const struct fuzz_request_kind *chosen;
static char directory[4096], input_path[4200], store_path[4200];

const struct fuzz_request_kind *fuzz_request_kind(size_t index)
{
    return index < sizeof kinds / sizeof *kinds ? &kinds[index] : NULL;
}

static void remove_files(void)
{
    unlink(input_path);
    unlink(store_path);
    rmdir(directory);
}

/* A results file, of one run, for --where. */
static void make_store(void)
{
    flr_request *request = flr_request_new("compare", NULL);
    flr_answer *answer;

    flr_request_add(request, "generate:ring,ranks=4", NULL);
    flr_request_set(request, "topology", "mesh:2x2", NULL);
    flr_request_set(request, "results", store_path, NULL);
    answer = flr_ask(request, NULL);
    if (answer == NULL) {
        fputs("no results file could be made\n", stderr);
        exit(99);
    }
    flr_answer_free(answer);
    flr_request_free(request);
}

static void make_directory(void)
{
    const char *where = getenv("TMPDIR");

    snprintf(directory, sizeof directory, "%.4000s/flitreplay-fuzz-XXXXXX", where == NULL ? "/tmp" : where);
    if (mkdtemp(directory) == NULL) {
        perror("a directory for the files");
        exit(99);
    }
    snprintf(input_path, sizeof input_path, "%s/input", directory);
    snprintf(store_path, sizeof store_path, "%s/store.db", directory);
    atexit(remove_files);
}

int fuzz_request_choose(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) != 0)
            continue;
        if (directory[0] == '\0')
            make_directory();
        chosen = &kinds[i];
        if (strcmp(name, "where") == 0 && access(store_path, F_OK) != 0)
            make_store();
        return 0;
    }
    return -1;
}

/* Numbers of so many digits and more may be legal, and take minutes. */
static bool is_small(const uint8_t *data, size_t size, unsigned digits)
{
    unsigned run = 0;

    for (size_t i = 0; i < size; i++) {
        run = isdigit(data[i]) ? run + 1 : 0;
        if (run > digits)
            return false;
    }
    return true;
}

/* Whether any option stands there that names an output. */
static bool names_output(const uint8_t *data, size_t size)
{
    for (size_t option = 0; flr_option_name(option) != NULL; option++) {
        const char *name = flr_option_name(option);
        size_t length = strlen(name);

        if (strcmp(flr_option_kind(option), "output") != 0 && strcmp(name, "results") != 0 &&
            strcmp(name, "svg") != 0)
            continue;
        for (size_t at = 0; at + length <= size; at++)
            if (memcmp(data + at, name, length) == 0)
                return true;
    }
    return false;
}

/* Whether it is tried at all. */
static bool is_input(const uint8_t *data, size_t size)
{
    if (size > SIZE_MOST || !is_small(data, size, chosen->digits))
        return false;
    if ((chosen->command == NULL || strcmp(chosen->command, "compare") == 0) && names_output(data, size))
        return false;
    return chosen->is_file || memchr(data, 0, size) == NULL;
}

/* The input as it goes into the request: the text itself, or where the file with it is. NULL: it is none. */
static char *value_of(const uint8_t *data, size_t size)
{
    size_t before = strlen(chosen->before), room = before + size + sizeof input_path;
    char *value = malloc(room);
    FILE *file;

    snprintf(value, room, "%s", chosen->before);
    if (!chosen->is_file) {
        memcpy(value + before, data, size);
        value[before + size] = '\0';
        return value;
    }
    file = fopen(input_path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        perror(input_path);
        exit(99);
    }
    snprintf(value + before, room - before, "%s", input_path);
    return value;
}

/* Every word of a list in its turn, as an operand, or two of them as an option. -1: refused. */
static int give_words(flr_request *request, const char *words, bool options, flr_error **error)
{
    char text[256];
    char *state, *word;
    int result = 0;

    snprintf(text, sizeof text, "%s", words);
    for (word = strtok_r(text, " ", &state); word != NULL && result == 0;
         word = strtok_r(NULL, " ", &state)) {
        if (options)
            result = flr_request_set(request, word, strtok_r(NULL, " ", &state), error);
        else
            result = flr_request_add(request, strcmp(word, "@DB@") == 0 ? store_path : word, error);
    }
    return result;
}

/* A sentence for people, and a status that says whose fault it is. */
static void check_error(flr_error *error)
{
    enum flr_status status = flr_error_status(error);
    char *clean;

    if (flr_error_text(error)[0] == '\0' ||
        (status != FLR_USAGE && status != FLR_INPUT && status != FLR_DEADLOCK && status != FLR_SYSTEM &&
         status != FLR_INTERRUPTED)) {
        fprintf(stderr, "status %d: '%s'\n", (int)status, flr_error_text(error));
        abort();
    }
    clean = flr_printable(flr_error_text(error));
    flr_string_free(clean);
    flr_error_free(error);
}

/* Each form that the answer has is made. */
static void check_answer(flr_answer *answer)
{
    const char *form;

    for (size_t i = 0; (form = flr_answer_form_name(answer, i)) != NULL; i++) {
        flr_error *error = NULL;
        char *text = flr_answer_form(answer, form, NULL, &error);

        if (text == NULL && error == NULL)
            abort();
        if (text == NULL)
            check_error(error);
        flr_string_free(text);
    }
    flr_answer_free(answer);
}

/* The request of a kind of inputs, with one in it. NULL: refused. */
static flr_request *make_request(const char *value, flr_error **error)
{
    flr_request *request = flr_request_new(chosen->command, error);

    if (give_words(request, chosen->options, true, error) == 0 &&
        (chosen->operands == NULL || give_words(request, chosen->operands, false, error) == 0) &&
        (chosen->option == NULL ? flr_request_add(request, value, error)
                                : flr_request_set(request, chosen->option, value, error)) == 0)
        return request;
    flr_request_free(request);
    return NULL;
}

/* The request that a command line asks: the subcommand, then operands, and options as `--name=value`, `--name`
 * alone for those that are set or not. NULL: refused. */
static flr_request *read_request(char *line, flr_error **error)
{
    char *state, *value;
    char *word = strtok_r(line, " \n", &state);
    flr_request *request = flr_request_new(word == NULL ? "" : word, error);
    int result = request == NULL ? -1 : 0;

    while (result == 0 && (word = strtok_r(NULL, " \n", &state)) != NULL) {
        if (strncmp(word, "--", 2) != 0) {
            result = flr_request_add(request, word, error);
            continue;
        }
        value = strchr(word, '=');
        if (value != NULL)
            *value++ = '\0';
        result = flr_request_set(request, word + 2, value == NULL ? "yes" : value, error);
    }
    if (result == 0)
        return request;
    flr_request_free(request);
    return NULL;
}

void fuzz_request_ask(const uint8_t *data, size_t size)
{
    flr_request *request;
    flr_error *error = NULL;
    flr_answer *answer = NULL;
    char *value;

    if (!is_input(data, size))
        return;
    value = value_of(data, size);
    request = chosen->command == NULL ? read_request(value, &error) : make_request(value, &error);
    if (request != NULL) {
        flr_request_stop(request);
        answer = flr_ask(request, &error);
    }
    if (answer != NULL)
        check_answer(answer);
    else if (error == NULL)
        abort();
    else
        check_error(error);
    flr_request_free(request);
    free(value);
}
