#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

bool fault_set(fault *out, int line, const char *format, ...)
{
    va_list args;
    out->line = line;
    va_start(args, format);
    (void)vsnprintf(out->text, sizeof out->text, format, args);
    va_end(args);

    // names and strings of the file may hold line breaks: an error is one line all the same
    for (char *c = out->text; *c; c++) {
        if ((unsigned char)*c < 0x20u || *c == 0x7f) {
            *c = '?';
        }
    }
    return false;
}

void fault_print(const fault *f, const char *file)
{
    fprintf(stderr, "%s:%d: %s\n", file, f->line, f->text);
}
