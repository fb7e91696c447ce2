/* A bound on the memory that a test program's own objects and the convenience libraries may hold; what shared
 * libraries allocate is not seen. For programs that link with tests/limit-alloc.c and $(LIMIT_ALLOC_WRAPS).
 *
 *     limit_alloc_begin(1 << 20);          from here on at most so many bytes more than now
 *     ...
 *     assert_true(limit_alloc_end());      false: an allocation went beyond that (and was refused) */
#ifndef TESTS_LIMIT_ALLOC_H
#define TESTS_LIMIT_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

void limit_alloc_begin(size_t bytes);
bool limit_alloc_end(void);
/* The most that was held since limit_alloc_begin, and what has been allocated since then and is still held. */
size_t limit_alloc_peak(void);
size_t limit_alloc_held(void);

#endif
