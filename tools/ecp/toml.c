#include "toml.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// the text ends with a NUL that is not part of it, so p[0] may always be looked at
typedef struct parser {
    const char *p, *end;
    const char *line_start; // of p
    int line;               // of p
    int key_line;           // of the key whose value is being read; 0 between keys
    fault *why;
} parser;

static void *grow(void *items, size_t count, size_t size)
{
    // room for one more; doubles at powers of two
    if ((count & (count - 1u)) == 0u) {
        void *more = realloc(items, (count ? 2u * count : 1u) * size);
        if (!more) {
            abort();
        }
        return more;
    }
    return items;
}

static char *copy_text(const char *from, size_t length)
{
    char *to = malloc(length + 1u);
    if (!to) {
        abort();
    }
    memcpy(to, from, length);
    to[length] = '\0';
    return to;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_bare(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
}

// a place of the text; what belongs to a key carries the line of the key
static text_place place_of(const parser *s, const char *at)
{
    return (text_place){ s->key_line ? s->key_line : s->line, s->line, (int)(at - s->line_start) + 1 };
}

// ---------------------------------------------------------------------------------------------
// blanks and line ends

static void skip_blanks(parser *s)
{
    while (*s->p == ' ' || *s->p == '\t') {
        s->p++;
    }
}

// past a comment, if there is one, up to the end of the line
static void skip_comment(parser *s)
{
    skip_blanks(s);
    if (*s->p == '#') {
        while (s->p < s->end && *s->p != '\n') {
            s->p++;
        }
    } else if (*s->p == '\r') {
        s->p++;
    }
}

// past blanks, comments and line ends
static void skip_space(parser *s)
{
    for (;;) {
        skip_comment(s);
        if (*s->p != '\n') {
            return;
        }
        s->p++;
        s->line++;
        s->line_start = s->p;
    }
}

static bool end_of_line(parser *s, const char *after)
{
    skip_comment(s);
    if (s->p < s->end && *s->p != '\n') {
        return fault_at(s->why, place_of(s, s->p), "unexpected text after %s; expected the end of the line",
                         after);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// numbers

static const char *scan_digits(const char *p)
{
    // digits with single underscores between them; NULL if there are none
    if (!is_digit(*p)) {
        return NULL;
    }
    while (is_digit(*p) || (*p == '_' && is_digit(p[1]))) {
        p++;
    }
    return p;
}

// the end of a number in the syntax of TOML, or NULL
static const char *scan_number(const char *p)
{
    if (*p == '+' || *p == '-') {
        p++;
    }
    if (*p == '0' && (is_digit(p[1]) || p[1] == '_')) {
        return NULL;
    }
    p = scan_digits(p);
    if (p && *p == '.') {
        p = scan_digits(p + 1);
    }
    if (p && (*p == 'e' || *p == 'E')) {
        p++;
        p = scan_digits(*p == '+' || *p == '-' ? p + 1 : p);
    }
    return p;
}

static bool parse_number(parser *s, toml_value *value)
{
    const char *stop = s->p;
    while (is_bare(*stop) || *stop == '.' || *stop == '+') {
        stop++;
    }
    const int shown = stop - s->p > 40 ? 40 : (int)(stop - s->p);
    const char *word = s->p + (*s->p == '+' || *s->p == '-');
    if (stop - word == 3 && (!strncmp(word, "nan", 3) || !strncmp(word, "inf", 3))) {
        return fault_at(s->why, place_of(s, s->p), "%.*s is not accepted; expected a finite number",
                         shown, s->p);
    }
    if (stop == s->p || scan_number(s->p) != stop) {
        if (shown == 0) {
            return fault_at(s->why, place_of(s, s->p),
                             "the value is missing; expected a string, a number, "
                             "true, false or an array");
        }
        return fault_at(s->why, place_of(s, s->p),
                         "'%.*s' is not a value; expected a string, a decimal "
                         "number, true, false or an array",
                         shown, s->p);
    }
    char *digits = copy_text(s->p, (size_t)(stop - s->p));
    size_t n = 0;
    for (const char *c = s->p; c < stop; c++) {
        if (*c != '_') {
            digits[n++] = *c;
        }
    }
    digits[n] = '\0';
    value->type = TOML_NUMBER;
    value->number = strtod(digits, NULL);
    free(digits);
    if (!isfinite(value->number)) {
        return fault_at(s->why, place_of(s, s->p), "%.*s is too large; expected a finite number", shown,
                         s->p);
    }
    s->p = stop;
    return true;
}

// ---------------------------------------------------------------------------------------------
// strings

static size_t put_utf8(char *to, uint32_t code)
{
    if (code < 0x80u) {
        to[0] = (char)code;
        return 1;
    }
    const int more = code < 0x800u ? 1 : code < 0x10000u ? 2 : 3;
    const uint32_t lead = more == 1 ? 0xc0u : more == 2 ? 0xe0u : 0xf0u;
    to[0] = (char)(unsigned char)(lead | code >> (6 * more));
    for (int i = 1; i <= more; i++) {
        to[i] = (char)(unsigned char)(0x80u | ((code >> (6 * (more - i))) & 0x3fu));
    }
    return (size_t)more + 1u;
}

static int hex_digit(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// \uXXXX or \UXXXXXXXX, p at the digits
static bool parse_code(parser *s, int digits, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < digits; i++, s->p++) {
        const int d = hex_digit(*s->p);
        if (d < 0) {
            return fault_at(s->why, place_of(s, s->p), "bad escape in a string; expected %d hex digits",
                             digits);
        }
        *code = *code << 4 | (uint32_t)d;
    }
    if (*code == 0u || *code > 0x10ffffu || (*code >= 0xd800u && *code < 0xe000u)) {
        return fault_at(s->why, place_of(s, s->p),
                         "bad escape in a string; expected a Unicode character");
    }
    return true;
}

// one escape sequence, p behind the backslash
static bool parse_escape(parser *s, char *to, size_t *n)
{
    static const char names[] = "btnfr\"\\";
    static const char codes[] = "\b\t\n\f\r\"\\";
    const char c = *s->p;
    const char *at = c ? strchr(names, c) : NULL;
    if (at) {
        to[(*n)++] = codes[at - names];
        s->p++;
        return true;
    }
    if (c == 'u' || c == 'U') {
        uint32_t code;
        s->p++;
        if (!parse_code(s, c == 'u' ? 4 : 8, &code)) {
            return false;
        }
        *n += put_utf8(to + *n, code);
        return true;
    }
    return fault_at(s->why, place_of(s, s->p),
                     "bad escape in a string; expected one of \\b \\t \\n \\f \\r \\\" "
                     "\\\\ \\u \\U");
}

static bool parse_string(parser *s, toml_value *value)
{
    const char quote = *s->p;
    if (s->p[1] == quote && s->p[2] == quote) {
        return fault_at(s->why, place_of(s, s->p),
                         "a string of several lines; expected one in single quote "
                         "marks, on one line");
    }
    // an escape is never shorter than what it stands for: up to the closing mark is long enough
    size_t room = 1, n = 0;
    while (s->p + room < s->end && s->p[room] != '\n' && s->p[room] != quote) {
        room += s->p[room] == '\\' && quote == '"' && s->p[room + 1] == quote ? 2u : 1u;
    }
    value->type = TOML_STRING;
    value->string = copy_text(s->p, room);
    s->p++;
    while (s->p < s->end && *s->p != '\n' && *s->p != quote) {
        if (*s->p == '\\' && quote == '"') {
            s->p++;
            if (!parse_escape(s, value->string, &n)) {
                return false;
            }
        } else {
            value->string[n++] = *s->p++;
        }
    }
    value->string[n] = '\0';
    if (*s->p != quote) {
        return fault_at(s->why, value->where,
                         "the string does not end; expected %c before the end of "
                         "the line",
                         quote);
    }
    s->p++;
    return true;
}

// ---------------------------------------------------------------------------------------------
// values

static bool word_is(const parser *s, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(s->p, word, n) == 0 && !is_bare(s->p[n]);
}

static bool parse_scalar(parser *s, toml_value *value)
{
    value->where = place_of(s, s->p);
    if (*s->p == '"' || *s->p == '\'') {
        return parse_string(s, value);
    }
    if (word_is(s, "true") || word_is(s, "false")) {
        value->type = TOML_BOOLEAN;
        value->boolean = *s->p == 't';
        s->p += value->boolean ? 4 : 5;
        return true;
    }
    if (*s->p == '{') {
        return fault_at(s->why, place_of(s, s->p),
                         "an inline table; expected a string, a number, true, false "
                         "or an array");
    }
    return parse_number(s, value);
}

static bool parse_item(parser *s, toml_value *array)
{
    if (*s->p == '[') {
        return fault_at(s->why, place_of(s, s->p),
                         "an array within an array; expected numbers or strings");
    }
    array->items = grow(array->items, (size_t)array->count, sizeof *array->items);
    toml_value *item = &array->items[array->count];
    memset(item, 0, sizeof *item);
    array->count++;
    if (!parse_scalar(s, item)) {
        return false;
    }
    if (item->type == TOML_BOOLEAN || item->type != array->items[0].type) {
        return fault_at(s->why, place_of(s, s->p),
                         "the array mixes types; expected all numbers or all strings");
    }
    return true;
}

static bool parse_array(parser *s, toml_value *array)
{
    array->type = TOML_ARRAY;
    array->where = place_of(s, s->p);
    s->p++;
    for (;;) {
        skip_space(s);
        if (*s->p == ']') {
            s->p++;
            return true;
        }
        if (s->p >= s->end) {
            return fault_at(s->why, array->where, "the array does not end; expected ]");
        }
        if (!parse_item(s, array)) {
            return false;
        }
        skip_space(s);
        if (*s->p == ',') {
            s->p++;
        } else if (*s->p != ']') {
            return fault_at(s->why, place_of(s, s->p),
                             "the array goes on without a comma or does not end; "
                             "expected , or ]");
        }
    }
}

// ---------------------------------------------------------------------------------------------
// lines

static bool parse_key(parser *s, toml_table *table)
{
    const char *start = s->p;
    while (is_bare(*s->p)) {
        s->p++;
    }
    const size_t length = (size_t)(s->p - start);
    const int shown = length > 40u ? 40 : (int)length;
    const text_place where = place_of(s, start);
    s->key_line = s->line;
    if (length == 0u) {
        return fault_at(s->why, place_of(s, s->p), "unexpected text; expected key = value or [[table]]");
    }
    skip_blanks(s);
    if (*s->p != '=') {
        return fault_at(s->why, place_of(s, s->p),
                         *s->p == '.' ? "the key '%.*s.' is dotted; expected key = value"
                                      : "'%.*s' is not followed by =; expected key = value",
                         shown, start);
    }
    s->p++;
    skip_blanks(s);
    if (table->count >= TOML_MAX_KEYS) {
        return fault_at(s->why, place_of(s, s->p), "too many keys; expected at most %d in a table",
                         TOML_MAX_KEYS);
    }
    table->keys = grow(table->keys, (size_t)table->count, sizeof *table->keys);
    toml_key *key = &table->keys[table->count];
    memset(key, 0, sizeof *key);
    key->name = copy_text(start, length);
    key->line = s->line;
    key->where = where;
    const toml_key *twin = toml_find(table, key->name);
    table->count++;
    if (twin) {
        return fault_at(s->why, where,
                         "the key '%.40s' is repeated; expected it once, it stands on "
                         "line %d already",
                         key->name, twin->line);
    }
    const bool ok = *s->p == '[' ? parse_array(s, &key->value) : parse_scalar(s, &key->value);
    if (!ok || !end_of_line(s, "the value")) {
        return false;
    }
    s->key_line = 0;
    return true;
}

static void add_table(toml_doc *doc, const char *name, size_t length, int line)
{
    doc->tables = grow(doc->tables, (size_t)doc->count, sizeof *doc->tables);
    doc->tables[doc->count++] = (toml_table){ .name = copy_text(name, length), .line = line };
}

static bool parse_header(parser *s, toml_doc *doc)
{
    if (s->p[1] != '[') {
        return fault_at(s->why, place_of(s, s->p), "a single [table]; expected [[table]]");
    }
    s->p += 2;
    skip_blanks(s);
    const char *start = s->p;
    while (is_bare(*s->p)) {
        s->p++;
    }
    const size_t length = (size_t)(s->p - start);
    skip_blanks(s);
    if (length == 0u || s->p[0] != ']' || s->p[1] != ']') {
        return fault_at(s->why, place_of(s, s->p), "a bad table header; expected [[name]]");
    }
    s->p += 2;
    add_table(doc, start, length, s->line);
    return end_of_line(s, "the table header");
}

// the length of the UTF-8 sequence at p, 0 if it is none or a control character
static size_t utf8_length(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80u) {
        const bool control = (p[0] < 0x20u || p[0] == 0x7fu) && p[0] != '\t' && p[0] != '\n';
        return control && !(p[0] == '\r' && left > 1u && p[1] == '\n') ? 0u : 1u;
    }
    const size_t n = p[0] >= 0xf0u ? 4u : p[0] >= 0xe0u ? 3u : 2u;
    if (p[0] < 0xc2u || p[0] > 0xf4u || n > left) {
        return 0u;
    }
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0u) != 0x80u) {
            return 0u;
        }
    }
    return n;
}

static bool check_text(const char *text, size_t length, fault *why)
{
    bool blank = true;
    for (size_t i = 0; i < length;) {
        const size_t n = utf8_length((const unsigned char *)text + i, length - i);
        if (n == 0u) {
            fault_set(why, 1, "the file is not text; expected a scenario in UTF-8");
            fault_unmark(why);
            return false;
        }
        blank = blank && strchr(" \t\r\n", text[i]);
        i += n;
    }
    if (blank) {
        fault_set(why, 1, "the file is empty; expected a scenario");
        fault_unmark(why);
        return false;
    }
    return true;
}

static bool parse_lines(parser *s, toml_doc *doc)
{
    add_table(doc, "", 0u, 1);
    for (;;) {
        skip_space(s);
        if (s->p >= s->end) {
            return true;
        }
        const bool ok =
            *s->p == '[' ? parse_header(s, doc) : parse_key(s, &doc->tables[doc->count - 1]);
        if (!ok) {
            return false;
        }
    }
}

bool toml_parse(toml_doc *doc, const char *text, size_t length, fault *why)
{
    *doc = (toml_doc){ 0 };
    if (length >= 3u && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3u;
    }
    if (!check_text(text, length, why)) {
        return false;
    }
    char *copy = copy_text(text, length);
    parser s = { .p = copy, .end = copy + length, .line_start = copy, .line = 1, .why = why };
    const bool ok = parse_lines(&s, doc);
    if (!ok) {
        fault_quote(why, copy, length);
    }
    free(copy);
    if (!ok) {
        toml_free(doc);
    }
    return ok;
}

static void free_value(toml_value *value)
{
    for (int i = 0; i < value->count; i++) {
        free(value->items[i].string);
    }
    free(value->items);
    free(value->string);
}

void toml_free(toml_doc *doc)
{
    for (int i = 0; i < doc->count; i++) {
        toml_table *table = &doc->tables[i];
        for (int k = 0; k < table->count; k++) {
            free(table->keys[k].name);
            free_value(&table->keys[k].value);
        }
        free(table->keys);
        free(table->name);
    }
    free(doc->tables);
    *doc = (toml_doc){ 0 };
}

const toml_key *toml_find(const toml_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++) {
        if (strcmp(table->keys[i].name, name) == 0) {
            return &table->keys[i];
        }
    }
    return NULL;
}
