#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// bytes of a line that are shown; a longer line is cut on both sides of the caret
#define SHOWN 72

static void format_text(fault *out, const char *format, va_list args)
{
    (void)vsnprintf(out->text, sizeof out->text, format, args);
    // names and strings of the file may hold line breaks: an error is one line all the same
    for (char *c = out->text; *c; c++) {
        if ((unsigned char)*c < 0x20u || *c == 0x7f) {
            *c = '?';
        }
    }
    out->quote[0] = '\0';
}

bool fault_set(fault *out, int line, const char *format, ...)
{
    va_list args;
    out->line = line;
    out->mark = (text_place){ line, 0, 0 };
    va_start(args, format);
    format_text(out, format, args);
    va_end(args);
    return false;
}

bool fault_at(fault *out, text_place where, const char *format, ...)
{
    va_list args;
    out->line = where.line;
    out->mark = where;
    va_start(args, format);
    format_text(out, format, args);
    va_end(args);
    return false;
}

void fault_unmark(fault *out)
{
    out->mark.at_line = -1;
}

// ---------------------------------------------------------------------------------------------
// the quote

typedef struct text_line {
    const char *start;
    size_t length;
} text_line;

static bool find_line(text_line *out, const char *text, size_t length, int number)
{
    const char *p = text, *end = text + length;
    for (int n = 1; n < number && p < end; n++) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        p = next ? next + 1 : end;
    }
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    *out = (text_line){ p, (size_t)((stop ? stop : end) - p) };
    if (out->length > 0u && p[out->length - 1u] == '\r') {
        out->length--;
    }
    return out->length > 0u;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_-+.", c) != NULL);
}

// bytes under the caret: a word, or a string with its quote marks, or one
static size_t marked(const text_line *line, size_t at)
{
    size_t n = 1;
    if (at < line->length && (line->start[at] == '"' || line->start[at] == '\'')) {
        const char *end = memchr(line->start + at + 1, line->start[at], line->length - at - 1u);
        return end ? (size_t)(end - line->start) - at + 1u : line->length - at;
    }
    while (at + n < line->length && is_word(line->start[at]) && is_word(line->start[at + n])) {
        n++;
    }
    return n;
}

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0u) == 0x80u;
}

// the part of the line that is shown: [first, last), no character cut in two
static void window(const text_line *line, size_t at, size_t *first, size_t *last)
{
    *first = line->length > SHOWN && at > SHOWN / 2u ? at - SHOWN / 2u : 0u;
    *last = *first + SHOWN < line->length ? *first + SHOWN : line->length;
    while (*first > 0u && continues(line->start[*first])) {
        (*first)--;
    }
    while (*last < line->length && *last > *first && continues(line->start[*last])) {
        (*last)--;
    }
}

static void write_quote(fault *out, const text_line *line, size_t at)
{
    size_t first, last, n;
    window(line, at, &first, &last);
    const int number = out->mark.at_line;
    n = (size_t)snprintf(out->quote, sizeof out->quote, "%5d | %.*s\n      | ", number,
                         (int)(last - first), line->start + first);
    // tabs stay tabs and a character of several bytes is one blank, so that the caret stands right
    for (size_t i = first; i < at; i++) {
        if (!continues(line->start[i])) {
            out->quote[n++] = line->start[i] == '\t' ? '\t' : ' ';
        }
    }
    const size_t stop = at + marked(line, at);
    for (size_t i = at; i < stop && (i < last || i == at); i++) {
        if (i == at || !continues(line->start[i])) {
            out->quote[n++] = '^';
        }
    }
    out->quote[n++] = '\n';
    out->quote[n] = '\0';
}

void fault_quote(fault *out, const char *text, size_t length)
{
    text_line line;
    if (out->mark.at_line < 0) {
        return;
    }
    size_t at = out->mark.column > 0 ? (size_t)out->mark.column - 1u : 0u;
    const bool first_word = out->mark.at_line == 0;
    if (first_word) {
        out->mark.at_line = out->line;
        at = 0;
    }
    if (length >= 3u && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3u;
    }
    if (!find_line(&line, text, length, out->mark.at_line)) {
        return;
    }
    while (first_word && at + 1u < line.length && strchr(" \t", line.start[at])) {
        at++;
    }
    write_quote(out, &line, at < line.length ? at : line.length);
}

void fault_print(const fault *f, const char *file)
{
    fprintf(stderr, "%s:%d: %s\n%s", file, f->line, f->text, f->quote);
}
