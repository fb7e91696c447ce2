/* Adding the hashes modulo 2^128 makes the digest a multiset hash: independent of order, but (unlike
 * exclusive or) it sees a record that occurs twice. A digest has 128 bits of sum and 64 of count. Two different
 * multisets of records agree by chance with a probability of about 2^-128; against somebody who looks for a
 * collision a sum of hashes is no protection, and none is needed. */
#include "base/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The hash of a record of three words, which every delivered packet has, is a third of what a call takes. */
#define XXH_INLINE_ALL
#define XXH_STATIC_LINKING_ONLY /* the state of a hash in pieces, below */
#include <xxhash.h>

#define RECORD_WORDS 3

/* Adds modulo 2^128, with the carry between the halves. */
static void add_wide(struct base_digest *digest, uint64_t low, uint64_t high)
{
    digest->low += low;
    digest->high += high + (digest->low < low);
}

/* XXH3 reads bytes; on a big-endian machine the words are turned first, piece by piece. */
static XXH128_hash_t hash_words(const uint64_t *words, size_t count)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return count == RECORD_WORDS ? XXH3_128bits(words, RECORD_WORDS * sizeof *words)
                                 : XXH3_128bits(words, count * sizeof *words);
#else
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[8];
        for (size_t j = 0; j < 8; j++)
            bytes[j] = (unsigned char)(words[i] >> (8 * j));
        XXH3_128bits_update(&state, bytes, sizeof bytes);
    }
    return XXH3_128bits_digest(&state);
#endif
}

/* The count makes a record whose hash is 0 visible, and an empty digest differ from one of such records. */
void base_digest_add(struct base_digest *digest, const uint64_t *words, size_t count)
{
    XXH128_hash_t hash = hash_words(words, count);
    add_wide(digest, hash.low64, hash.high64);
    digest->records++;
}

/* The hash of a text: its bytes in words, the last one filled up with zeros, and its length. */
void base_digest_add_text(struct base_digest *digest, uint64_t place, const char *text)
{
    size_t length = strlen(text);
    uint64_t words[8];

    base_digest_add(digest, (uint64_t[]){place, length}, 2);
    for (size_t at = 0; at < length; at += 6 * sizeof *words) {
        size_t rest = length - at < 6 * sizeof *words ? length - at : 6 * sizeof *words;
        memset(words, 0, sizeof words);
        words[0] = place;
        words[1] = at;
        for (size_t i = 0; i < rest; i++)
            words[2 + i / 8] |= (uint64_t)(unsigned char)text[at + i] << 8 * (i % 8);
        base_digest_add(digest, words, 8);
    }
}

/* Threads and shards digest their own deliveries; since addition is commutative, in any order. */
void base_digest_merge(struct base_digest *digest, const struct base_digest *other)
{
    add_wide(digest, other->low, other->high);
    digest->records += other->records;
}

/* The canonical order of XXH128: high half first, as xxh128sum prints it. */
void base_digest_bytes(const void *bytes, size_t size, char text[BASE_DIGEST_TEXT])
{
    XXH128_hash_t hash = XXH3_128bits(bytes, size);
    snprintf(text, BASE_DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
}

/* The sum is hashed once more with the count, so that near sums do not have near texts. */
void base_digest_text(const struct base_digest *digest, char text[BASE_DIGEST_TEXT])
{
    const uint64_t words[3] = {digest->low, digest->high, digest->records};
    XXH128_hash_t hash = hash_words(words, 3);
    snprintf(text, BASE_DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
}
