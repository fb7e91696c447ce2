/* Mutation of texts for libFuzzer, linked beside a target alone. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/fuzz/mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Of single bytes that are changed, most make a word that nobody knows: two times of three words and lines are lost,
 * repeated and exchanged instead, and numbers become others. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    struct base_random random;
    uint8_t *text;

    if (seed % 3 == 0 || size == 0 || (text = malloc(size + MUTATE_ROOM)) == NULL)
        return LLVMFuzzerMutate(data, size, most);
    base_random_seed(&random, seed, 0);
    memcpy(text, data, size);
    mutate_text(&random, text, &size);
    size = size < most ? size : most;
    memcpy(data, text, size);
    free(text);
    return size;
}
