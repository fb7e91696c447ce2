/* What a fuzz target is to libFuzzer, AFL++ (afl-clang-fast links its driver with -fsanitize=fuzzer) and
 * tests/fuzz/replay.c. */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "tests/fuzz/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads an input of this reader; aborts with a line on standard error when the reader breaks a promise. The
 * files lie in a directory of this process, which is made on first use and removed at its end. */
void target_read(enum fuzz_reader reader, const uint8_t *data, size_t size);

#endif
