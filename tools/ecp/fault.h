// fault.h - one error of an input file: where, what is wrong, what was expected.
#ifndef ECP_TOOL_FAULT_H
#define ECP_TOOL_FAULT_H

#include <stdbool.h>
#include <stddef.h>

/// Where something stands in a file. A value may stand on a later line than its key: errors then
/// carry the line of the key, the caret points at the value.
typedef struct text_place {
    int line;    ///< that an error carries; counts from 1
    int at_line; ///< where the caret points; 0: at the first word of `line`
    int column;  ///< bytes, from 1
} text_place;

/// The first error found in a file.
typedef struct fault {
    int line;        ///< counts from 1
    char text[320];  ///< "what is wrong; what was expected"
    text_place mark;      ///< for the caret; at_line < 0: nothing of the file is worth showing
    char quote[320]; ///< the line of the file and the line of the caret, or ""
} fault;

#if defined(__GNUC__)
#define FAULT_FORMAT __attribute__((format(printf, 3, 4)))
#else
#define FAULT_FORMAT
#endif

/// Fill a fault. Always false, so that a check can end with `return fault_set(...)`.
bool fault_set(fault *out, int line, const char *format, ...) FAULT_FORMAT;
/// The same with a caret under the given place.
bool fault_at(fault *out, text_place where, const char *format, ...) FAULT_FORMAT;
/// A fault of the file as a whole, or of something missing at its start: without a caret.
void fault_unmark(fault *out);
/// Copy the line of the fault from the text of the file and put a caret under the place.
void fault_quote(fault *out, const char *text, size_t length);

/// Print `FILE:LINE: text` to stderr, then the quote.
void fault_print(const fault *f, const char *file);

#endif
