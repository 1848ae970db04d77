// A failed assertion, the same for every port: place and condition on the console, then the end.
#include "ecp_port.h"

static void put_text(const char *text)
{
    while (*text != '\0') {
        ecp_port_putc(*text++);
    }
}

_Noreturn void ecp_port_assert_fail(const char *what, const char *file, int line)
{
    char digits[12] = { 0 };
    int first = 11;
    do {
        digits[--first] = (char)('0' + line % 10);
        line /= 10;
    } while (line > 0 && first > 0);
    put_text(file);
    put_text(":");
    put_text(&digits[first]);
    put_text(": assertion failed: ");
    put_text(what);
    put_text("\n");
    ecp_port_exit(123);
}
