/* Numbers with units, read from options and written for people. Parsing is strict: the whole text must match.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define BASE_UNITS_TEXT 32

/* Each parser returns 0 and stores the value, or returns -1 (syntax, sign or range) and stores nothing. */
int base_parse_unsigned(const char *text, uint64_t maximum, uint64_t *value); /* decimal digits only */
/* 4096, 64k, 64KiB, 2MB, 1GiB: the prefixes k, m, g, t in either case; alone and with iB powers of 1024, with
 * B of 1000. */
int base_parse_bytes(const char *text, uint64_t *bytes);
/* A decimal number with at most `digits` fractional digits, scaled by 10^digits: ("1.25", 3) gives 1250, and
 * (".5", 3) 500. */
int base_parse_decimal(const char *text, unsigned digits, uint64_t *scaled);

/* Each writer returns text. */
char *base_format_ns(uint64_t ns, char text[BASE_UNITS_TEXT]);       /* 1.234 ms */
char *base_format_bytes(uint64_t bytes, char text[BASE_UNITS_TEXT]); /* 64.0 KiB */
char *base_format_count(uint64_t count, char text[BASE_UNITS_TEXT]); /* 1 234 567 */

/* Exact conversions between nanoseconds and cycles of a clock given in kHz (1 GHz = 1 000 000 kHz): rounded
 * up, saturating at UINT64_MAX. clock_khz >= 1. */
uint64_t base_cycles_from_ns(uint64_t ns, uint64_t clock_khz);
uint64_t base_ns_from_cycles(uint64_t cycles, uint64_t clock_khz);

#endif
