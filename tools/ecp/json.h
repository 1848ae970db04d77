// json.h - the few pieces of JSON that summaries and pages need.
#ifndef ECP_TOOL_JSON_H
#define ECP_TOOL_JSON_H

#include <stddef.h>
#include <stdio.h>

/// A string in quotes. '<' is escaped too, so that it may stand inside an HTML page.
void json_string(FILE *out, const char *text);
/// The same, of any bytes; the length is given.
void json_text(FILE *out, const char *text, size_t length);
/// Text as HTML shows it: & < > " escaped.
void html_text(FILE *out, const char *text);

#endif
