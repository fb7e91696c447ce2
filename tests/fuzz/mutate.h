/* Damage to the bytes of a file, the same for a seed everywhere: what tests do without a fuzzer. */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

/* Changes *size bytes at data in one to eight ways: bits, bytes, extreme numbers of one to eight bytes, lost,
 * repeated and exchanged pieces, a cut end. There must be room for *size + MUTATE_ROOM bytes. */
#define MUTATE_ROOM 512
void mutate_bytes(struct base_random *random, uint8_t *data, size_t *size);
/* The same for text: words and lines are lost, repeated and exchanged, and numbers become others, which are
 * at a limit as a rule. */
void mutate_text(struct base_random *random, uint8_t *data, size_t *size);

#endif
