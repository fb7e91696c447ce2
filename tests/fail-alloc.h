/* Makes the N-th allocation of a test program fail, and counts what has not been freed.
 *
 * A program that links with tests/libfailalloc.la and $(FAIL_ALLOC_LDFLAGS) has its calls of malloc, calloc,
 * realloc, free, strdup, strndup, realpath, fopen, fdopen and fclose wrapped by the linker: those in its own
 * objects and in the convenience libraries (libbase.la, ...), not those inside shared libraries.
 *
 *     tests_base_test_heap_LDFLAGS = $(FAIL_ALLOC_LDFLAGS)
 *     tests_base_test_heap_LDADD = libbase.la tests/libfailalloc.la $(XXHASH_LIBS) $(CMOCKA_LIBS)
 *
 * Not for programs with several threads. */
#ifndef TESTS_FAIL_ALLOC_H
#define TESTS_FAIL_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* The n-th of the following allocations (1 is the next) fails, once: NULL and errno ENOMEM, and what realloc
 * was given stays as it was. 0 lets all succeed. A stream is an allocation too. */
void fail_alloc_arm(unsigned long n);
/* Lets all succeed again. Returns whether an allocation has failed since fail_alloc_arm. */
bool fail_alloc_disarm(void);
/* The number of pieces of memory and streams that wrapped calls have made and not yet freed. */
size_t fail_alloc_outstanding(void);

/* Calls attempt(state) with its first allocation failing, then with its second, and so on until it meets no
 * failure. attempt returns 0 when all went well and -1 when it was told (by -1 or NULL) that memory was out;
 * either way it must have freed what it made. Returns the number of allocations that an undisturbed attempt
 * makes, or -1, after a line on standard error, when an attempt hid a failure, failed undisturbed, or left
 * something behind. */
long fail_alloc_each(int (*attempt)(void *state), void *state);

#endif
