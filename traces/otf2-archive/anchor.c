/* Where the identifier is follows from the anchor file's own texts; that it is there is seen by its value,
 * which libotf2 reads.
 *
 * The identifier is drawn by libotf2 when an archive is written, and so differs from one writing to the next.
 * Whoever hashes an archive leaves these bytes out, and our writer puts a hash of the content in their place: the
 * same program gives the same bytes. */
#include <config.h>

#include "traces/otf2-archive/anchor.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"

#define STRINGS_AT 46 /* bytes before the machine's name */
#define STRINGS 3

/* Behind `count` strings from a place on; 0: the file ends before. */
static size_t skip_strings(const struct base_input *file, size_t place, uint64_t count)
{
    for (; count > 0 && place != 0; count--) {
        const char *end = place < file->size ? memchr(file->bytes + place, '\0', file->size - place) : NULL;
        place = end == NULL ? 0 : (size_t)(end - file->bytes) + 1;
    }
    return place;
}

/* A number of `bytes` bytes in the anchor's order, which its second byte says. */
static uint64_t number_at(const struct base_input *file, size_t place, size_t bytes)
{
    uint64_t number = 0;

    for (size_t i = 0; i < bytes; i++) {
        uint64_t byte = (unsigned char)file->bytes[place + i];
        number |= byte << (8 * (file->bytes[1] == '#' ? bytes - 1 - i : i));
    }
    return number;
}

/* Behind three strings there is a number of properties, each of two strings, and then the identifier. 0: not
 * there. */
static size_t find(const struct base_input *file, uint64_t identifier)
{
    size_t place = skip_strings(file, STRINGS_AT, STRINGS);

    if (place == 0 || place + 4 > file->size)
        return 0;
    place = skip_strings(file, place + 4, 2 * number_at(file, place, 4));
    if (place == 0 || place + TRACE_OTF2_IDENTIFIER_BYTES > file->size)
        return 0;
    return number_at(file, place, TRACE_OTF2_IDENTIFIER_BYTES) == identifier ? place : 0;
}

/* *place is the first byte of the identifier in the file; 0 without an error if it cannot be told. */
int trace_otf2_anchor_find(const char *anchor, OTF2_Reader *reader, uint64_t *place, struct base_error *error)
{
    struct base_input file;
    uint64_t identifier;

    *place = 0;
    if (OTF2_Reader_GetTraceId(reader, &identifier) != OTF2_SUCCESS)
        return 0;
    if (base_input_open(&file, anchor) != 0)
        return base_error_system(error, errno, "%s", anchor);
    *place = find(&file, identifier);
    base_input_close(&file);
    return 0;
}

/* A hash of what is said of the archive, without the identifier that it has by now. */
static int hash_of(const char *anchor, uint64_t place, const char *definitions, unsigned char identifier[],
                   struct base_error *error)
{
    struct base_input file;
    struct base_digest digest = {0};
    char text[BASE_DIGEST_TEXT];

    if (base_input_open(&file, anchor) != 0)
        return base_error_system(error, errno, "%s", anchor);
    memset(file.bytes + place, 0, TRACE_OTF2_IDENTIFIER_BYTES);
    base_digest_bytes(file.bytes, file.size, text);
    base_digest_add_text(&digest, 1, text);
    base_input_close(&file);
    if (base_input_open(&file, definitions) != 0)
        return base_error_system(error, errno, "%s", definitions);
    base_digest_add_text(&digest, 2, file.digest);
    base_input_close(&file);
    for (size_t i = 0; i < TRACE_OTF2_IDENTIFIER_BYTES; i++)
        identifier[i] = (unsigned char)(digest.low >> (8 * i));
    return 0;
}

/* In place; nothing else of the file changes. */
static int write_at(const char *path, uint64_t place, const unsigned char *bytes, struct base_error *error)
{
    FILE *stream = fopen(path, "r+b");
    bool done = stream != NULL && fseek(stream, (long)place, SEEK_SET) == 0 &&
                fwrite(bytes, 1, TRACE_OTF2_IDENTIFIER_BYTES, stream) == TRACE_OTF2_IDENTIFIER_BYTES;
    int problem = errno;

    if (stream != NULL && fclose(stream) != 0 && done) {
        problem = errno;
        done = false;
    }
    return done ? 0 : base_error_system(error, problem, "%s: cannot be written", path);
}

/* Writes the hash where libotf2's identifier stands; an anchor without one stays as it is. */
int trace_otf2_anchor_settle(const char *anchor, const char *definitions, struct base_error *error)
{
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    unsigned char identifier[TRACE_OTF2_IDENTIFIER_BYTES];
    uint64_t place = 0;
    int status;

    if (reader == NULL)
        return base_error_set(error, BASE_SYSTEM, "%s: cannot be read back", anchor);
    status = trace_otf2_anchor_find(anchor, reader, &place, error);
    OTF2_Reader_Close(reader);
    if (status != 0 || place == 0)
        return status;
    return hash_of(anchor, place, definitions, identifier, error) == 0
               ? write_at(anchor, place, identifier, error)
               : -1;
}
