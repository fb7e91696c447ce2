/* Numbers with units, read from options and written for people. Parsing is strict: the whole text must match.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define BASE_UNITS_TEXT 32

/* Each parser returns 0 and stores the value, or returns -1 (syntax, sign or range) and stores nothing. */
int base_parse_unsigned(const char *text, uint64_t maximum, uint64_t *value); /* decimal digits only */
/* Why the first `length` bytes of text are no whole number of base_parse_unsigned, as the end of a sentence:
 * ": it is below 0", ": numbers are written without a sign" ...; "" where nothing more can be told. A constant. */
const char *base_number_problem(const char *text, size_t length);
/* 4096, 64k, 64KiB, 2MB, 1GiB: the prefixes k, m, g, t in either case; alone and with iB powers of 1024, with
 * B of 1000. */
int base_parse_bytes(const char *text, uint64_t *bytes);
/* A decimal number with at most `digits` fractional digits, scaled by 10^digits: ("1.25", 3) gives 1250, and
 * (".5", 3) 500. */
int base_parse_decimal(const char *text, unsigned digits, uint64_t *scaled);
/* 25GB/s, 200Gb/s, 200Gbit/s, 6.8 GB/s: decimal prefixes k, M, G, T and P; B is a byte, b and bit an eighth of
 * one. In bytes a second, which must be whole, up to 10^18. */
int base_parse_rate(const char *text, uint64_t *bytes_per_s);
/* 30ns, 1.5us, 350ps, 2ms, 1s: in picoseconds, which must be whole, up to 10^12. 0 needs no unit. */
int base_parse_duration(const char *text, uint64_t *ps);

/* Each writer returns text. */
char *base_format_ns(uint64_t ns, char text[BASE_UNITS_TEXT]);       /* 1.234 ms */
char *base_format_bytes(uint64_t bytes, char text[BASE_UNITS_TEXT]); /* 64.0 KiB */
char *base_format_count(uint64_t count, char text[BASE_UNITS_TEXT]); /* 1 234 567 */
/* All digits, so that the parser gives the same number again; `between` stands before the unit: "" or " ". */
char *base_format_rate(uint64_t bytes_per_s, const char *between, char text[BASE_UNITS_TEXT]); /* 6.8GB/s */
char *base_format_duration(uint64_t ps, const char *between, char text[BASE_UNITS_TEXT]);      /* 1.5us */

/* Exact conversions between nanoseconds and cycles of a clock given in kHz (1 GHz = 1 000 000 kHz): rounded
 * up, saturating at UINT64_MAX. clock_khz >= 1. */
uint64_t base_cycles_from_ns(uint64_t ns, uint64_t clock_khz);
uint64_t base_ns_from_cycles(uint64_t cycles, uint64_t clock_khz);
/* The same from picoseconds, rounded up; and to them, rounded to the nearest: for people. */
uint64_t base_cycles_from_ps(uint64_t ps, uint64_t clock_khz);
uint64_t base_ps_from_cycles(uint64_t cycles, uint64_t clock_khz);

#endif
