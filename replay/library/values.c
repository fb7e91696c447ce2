/* Values of an answer by key, from its form "json". */
#include <config.h>

#include <jansson.h>
#include <string.h>

#include "base/units.h"
#include "replay/library/internal.h"

/* The document, made once: an answer does not change. Which is why a const answer may have it. */
static const json_t *document_of(const flr_answer *answer, struct base_error *error)
{
    flr_answer *mutable = (flr_answer *)(uintptr_t)answer;
    flr_error *reason = NULL;
    char *text;

    if (answer->document != NULL)
        return answer->document;
    text = flr_answer_form(answer, "json", NULL, &reason);
    if (text == NULL) {
        base_error_set(error, (enum base_status)flr_error_status(reason), "%s", flr_error_text(reason));
        flr_error_free(reason);
        return NULL;
    }
    mutable->document = json_loads(text, 0, NULL);
    free(text);
    if (answer->document == NULL)
        base_error_memory(error, "the answer");
    return answer->document;
}

/* One step: the key of an object, or the place in a list. NULL: there is none. */
static const json_t *step(const json_t *at, const char *name, size_t length)
{
    uint64_t place;
    char key[128];

    if (length >= sizeof key)
        return NULL;
    memcpy(key, name, length);
    key[length] = '\0';
    if (json_is_object(at))
        return json_object_get(at, key);
    return json_is_array(at) && base_parse_unsigned(key, UINT32_MAX, &place) == 0
               ? json_array_get(at, (size_t)place)
               : NULL;
}

/* The value of a key. NULL: no document, or no such key, and the error names it. */
static const json_t *find_value(const flr_answer *answer, const char *key, struct base_error *error)
{
    const json_t *at = document_of(answer, error);
    const char *next = key;

    if (at == NULL)
        return NULL;
    while (at != NULL && *next != '\0') {
        size_t length = strcspn(next, ".");
        at = step(at, next, length);
        next += length + (next[length] == '.');
    }
    if (at == NULL)
        base_error_set(error, BASE_USAGE, "the answer has no value '%s'", key);
    return at;
}

static int refuse_type(const char *key, const char *wanted, struct base_error *error)
{
    return base_error_set(error, BASE_USAGE, "the value '%s' is not a %s", key, wanted);
}

/* ---- one function a type: 0, 1 for null, -1 */

static int read_real(const json_t *found, const char *key, double *value, struct base_error *error)
{
    if (json_is_null(found))
        return 1;
    if (!json_is_number(found) && !json_is_boolean(found))
        return refuse_type(key, "number", error);
    *value = json_is_boolean(found) ? json_is_true(found) : json_number_value(found);
    return 0;
}

static int read_count(const json_t *found, const char *key, uint64_t *value, struct base_error *error)
{
    if (json_is_null(found))
        return 1;
    if (json_is_boolean(found))
        *value = json_is_true(found);
    else if (json_is_integer(found) && json_integer_value(found) >= 0)
        *value = (uint64_t)json_integer_value(found);
    else
        return refuse_type(key, "whole number from 0 on", error);
    return 0;
}

static int read_text(const json_t *found, const char *key, char **value, struct base_error *error)
{
    if (json_is_null(found))
        return 1;
    if (!json_is_string(found))
        return refuse_type(key, "text", error);
    *value = strdup(json_string_value(found));
    return *value == NULL ? base_error_memory(error, "a text") : 0;
}

int flr_answer_real(const flr_answer *answer, const char *key, double *value, flr_error **error)
{
    struct base_error inner = {0};
    const json_t *found = find_value(answer, key, &inner);
    int status = found == NULL ? -1 : read_real(found, key, value, &inner);

    return status < 0 ? replay_error_pass(&inner, error) : status;
}

int flr_answer_count(const flr_answer *answer, const char *key, uint64_t *value, flr_error **error)
{
    struct base_error inner = {0};
    const json_t *found = find_value(answer, key, &inner);
    int status = found == NULL ? -1 : read_count(found, key, value, &inner);

    return status < 0 ? replay_error_pass(&inner, error) : status;
}

int flr_answer_text(const flr_answer *answer, const char *key, char **value, flr_error **error)
{
    struct base_error inner = {0};
    const json_t *found = find_value(answer, key, &inner);
    int status = found == NULL ? -1 : read_text(found, key, value, &inner);

    return status < 0 ? replay_error_pass(&inner, error) : status;
}

int flr_answer_size(const flr_answer *answer, const char *key, size_t *size, flr_error **error)
{
    struct base_error inner = {0};
    const json_t *found = find_value(answer, key, &inner);

    if (found != NULL && (json_is_array(found) || json_is_object(found))) {
        *size = json_is_array(found) ? json_array_size(found) : json_object_size(found);
        return 0;
    }
    if (found != NULL)
        refuse_type(key, "list or object", &inner);
    return replay_error_pass(&inner, error);
}
