// fault.h - one error of an input file: where, what is wrong, what was expected.
#ifndef ECP_TOOL_FAULT_H
#define ECP_TOOL_FAULT_H

#include <stdbool.h>

/// The first error found in a file.
typedef struct fault {
    int line;       ///< counts from 1
    char text[320]; ///< "what is wrong; what was expected"
} fault;

#if defined(__GNUC__)
#define FAULT_FORMAT __attribute__((format(printf, 3, 4)))
#else
#define FAULT_FORMAT
#endif

/// Fill a fault. Always false, so that a check can end with `return fault_set(...)`.
bool fault_set(fault *out, int line, const char *format, ...) FAULT_FORMAT;

/// Print `FILE:LINE: text` to stderr.
void fault_print(const fault *f, const char *file);

#endif
