// scene_file.h - a second, plain reader of well-formed scenario files and of CSV files, for checks
// that must share no code with the product. It trusts its input: what is malformed is not its matter.
#ifndef ECP_TEST_SCENE_FILE_H
#define ECP_TEST_SCENE_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SF_MAX_TABLES 64
#define SF_MAX_KEYS   24
#define SF_MAX_NUMBERS 512

typedef struct sf_table {
    char name[24];
    int count;
    char key[SF_MAX_KEYS][24];
    char *value[SF_MAX_KEYS]; // text behind =, arrays joined to one line
} sf_table;

typedef struct sf_file {
    int count; // tables; [0] holds the keys before the first header
    sf_table table[SF_MAX_TABLES];
} sf_file;

static void sf_fail(const char *what, const char *name)
{
    fprintf(stderr, "csv_check: %s %s\n", what, name);
    exit(2);
}

static char *sf_copy(const char *text)
{
    char *to = malloc(strlen(text) + 1u);
    if (!to) {
        abort();
    }
    return strcpy(to, text);
}

// no string of a scenario under test holds a #
static void sf_strip(char *line)
{
    char *comment = strchr(line, '#');
    if (comment) {
        *comment = '\0';
    }
    size_t n = strlen(line);
    while (n > 0u && strchr(" \t\r\n", line[n - 1u])) {
        line[--n] = '\0';
    }
}

static bool sf_line(FILE *in, char *line, size_t room)
{
    if (!fgets(line, (int)room, in)) {
        return false;
    }
    sf_strip(line);
    return true;
}

static void sf_key(FILE *in, sf_table *t, char *line)
{
    static char text[65536], more[4096];
    char *equals = strchr(line, '=');
    if (!equals || t->count == SF_MAX_KEYS) {
        sf_fail("cannot read", line);
    }
    (void)sscanf(line, " %23[a-zA-Z0-9_]", t->key[t->count]);
    strcpy(text, equals + 1);
    while (strchr(text, '[') && !strchr(text, ']') && sf_line(in, more, sizeof more)) {
        strcat(text, " ");
        strcat(text, more);
    }
    t->value[t->count++] = sf_copy(text);
}

static void sf_read(sf_file *f, const char *path)
{
    static char line[4096];
    FILE *in = fopen(path, "r");
    if (!in) {
        sf_fail("cannot open", path);
    }
    f->count = 1;
    while (sf_line(in, line, sizeof line)) {
        char name[24];
        if (sscanf(line, " [[%23[a-z]", name) == 1 && f->count < SF_MAX_TABLES) {
            strcpy(f->table[f->count++].name, name);
        } else if (line[strspn(line, " \t")]) {
            sf_key(in, &f->table[f->count - 1], line);
        }
    }
    fclose(in);
}

static const char *sf_value(const sf_table *t, const char *key)
{
    for (int i = 0; i < t->count; i++) {
        if (strcmp(t->key[i], key) == 0) {
            return t->value[i];
        }
    }
    return NULL;
}

/// Numbers of a key into out (absent: left alone); returns how many there are.
static int sf_numbers(const sf_table *t, const char *key, double *out)
{
    const char *p = sf_value(t, key);
    int n = 0;
    while (p && *p && n < SF_MAX_NUMBERS) {
        char *end;
        const double x = strtod(p, &end);
        if (end == p) {
            p++;
            continue;
        }
        out[n++] = x;
        p = end;
    }
    return n;
}

static double sf_number(const sf_table *t, const char *key, double absent)
{
    double x[SF_MAX_NUMBERS] = { absent };
    (void)sf_numbers(t, key, x);
    return x[0];
}

/// The i-th string of a key, or "".
static void sf_string(const sf_table *t, const char *key, int i, char out[32])
{
    const char *p = sf_value(t, key);
    out[0] = '\0';
    for (int k = 0; p && k <= i; k++) {
        p = strchr(p, '"');
        if (p && k == i) {
            (void)sscanf(p, "\"%31[^\"]", out);
        }
        p = p ? strchr(p + 1, '"') : NULL;
        p = p ? p + 1 : NULL;
    }
}

// ---------------------------------------------------------------------------------------------
// CSV

typedef struct sf_csv {
    int columns;
    long rows;
    char **name;
    double *cell;
} sf_csv;

static void sf_csv_header(sf_csv *c, char *line)
{
    c->name = calloc(strlen(line) + 1u, sizeof *c->name);
    for (char *word = strtok(line, ",\r\n"); c->name && word; word = strtok(NULL, ",\r\n")) {
        c->name[c->columns++] = sf_copy(word);
    }
}

static void sf_csv_row(sf_csv *c, const char *line)
{
    const size_t width = (size_t)c->columns;
    c->cell = realloc(c->cell, (size_t)(c->rows + 1) * width * sizeof *c->cell);
    const char *p = line;
    for (int i = 0; c->cell && i < c->columns; i++) {
        char *end;
        c->cell[(size_t)c->rows * width + (size_t)i] = strtod(p, &end);
        if (end == p || (*end != ',' && i + 1 < c->columns)) {
            sf_fail("no number in the row", line);
        }
        p = end + 1;
    }
    c->rows++;
}

static void sf_csv_read(sf_csv *c, const char *path)
{
    static char line[65536];
    FILE *in = fopen(path, "r");
    if (!in || !fgets(line, sizeof line, in)) {
        sf_fail("cannot open", path);
    }
    sf_csv_header(c, line);
    while (fgets(line, sizeof line, in)) {
        sf_csv_row(c, line);
    }
    fclose(in);
}

static double sf_cell(const sf_csv *c, long row, const char *owner, const char *name)
{
    char whole[80];
    (void)snprintf(whole, sizeof whole, "%s%s%s", owner, owner[0] ? "." : "", name);
    for (int i = 0; i < c->columns; i++) {
        if (strcmp(c->name[i], whole) == 0) {
            return c->cell[row * c->columns + i];
        }
    }
    sf_fail("no column", whole);
    return 0.0;
}

#endif
