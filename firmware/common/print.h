// print.h - small printing on the console of the port: no stdio, no reals.
#ifndef ECP_PRINT_H
#define ECP_PRINT_H

#include <stdint.h>

void print_text(const char *text);
void print_number(uint32_t x);
/// 16 hex digits.
void print_hex(uint64_t x);

#endif
