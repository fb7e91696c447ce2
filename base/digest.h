/* The digest of a run: two runs agree exactly if and only if their digests do. Records are hashed one by one
 * with XXH3 (128 bit, libxxhash) and the hashes are added modulo 2^128, so that the order in which an engine
 * reports the deliveries of one cycle does not matter while each record (message, packet, cycle) does. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define BASE_DIGEST_TEXT 33 /* 32 hexadecimal digits and the terminator */

/* A zeroed struct base_digest is the digest of no records. */
struct base_digest {
    uint64_t low, high, records; /* the sum, and how many were added */
};

/* Adds one record of size bytes. Records are written little-endian by the caller: use arrays of uint64_t. */
void base_digest_add(struct base_digest *digest, const uint64_t *words, size_t count);
/* Adds a text as several records. place tells the texts of one digest from each other. */
void base_digest_add_text(struct base_digest *digest, uint64_t place, const char *text);
/* Adds all records of other. */
void base_digest_merge(struct base_digest *digest, const struct base_digest *other);
/* 32 hexadecimal digits over the sum and the number of records. */
void base_digest_text(const struct base_digest *digest, char text[BASE_DIGEST_TEXT]);
/* The hash of a run of bytes alone, as xxh128sum prints it: 32 hexadecimal digits. */
void base_digest_bytes(const void *bytes, size_t size, char text[BASE_DIGEST_TEXT]);

#endif
