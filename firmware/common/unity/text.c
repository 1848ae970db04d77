// Stands in for snprintf where the unit tests write the text of a failure: the pattern without the
// numbers, so that no stdio comes into an image.
#include <stddef.h>

int unit_text(char *text, size_t size, const char *format, ...);

int unit_text(char *text, size_t size, const char *format, ...)
{
    size_t n = 0;
    while (n + 1 < size && format[n] != '\0') {
        text[n] = format[n];
        n++;
    }
    if (size > 0) {
        text[n] = '\0';
    }
    return (int)n;
}
