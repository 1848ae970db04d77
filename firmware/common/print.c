#include "print.h"

#include "ecp_port.h"

void print_text(const char *text)
{
    while (*text != '\0') {
        ecp_port_putc(*text++);
    }
}

void print_number(uint32_t x)
{
    char digits[11] = { 0 };
    int first = 10;
    do {
        digits[--first] = (char)('0' + x % 10u);
        x /= 10u;
    } while (x > 0);
    print_text(&digits[first]);
}

void print_hex(uint64_t x)
{
    for (int shift = 60; shift >= 0; shift -= 4) {
        ecp_port_putc("0123456789abcdef"[(x >> shift) & 15u]);
    }
}
