// amalgamate: core as two files.
//
//   amalgamate header PROFILE CONFIGDIR COREDIR [-DNAME=VALUE ...] > ecp.h
//   amalgamate source COREDIR FILE.c ... > ecp.c
//
// header: ecp.h with the limits, one profile and the private part written out in their places.
// source: every FILE.c with the headers of core once each. What a file declares for itself (static
// functions and objects, types, enumerators) gets the prefix ecp_<folder>_<file>_, and its macros
// are undefined at its end, so that files may use the same names. Members of structs keep theirs.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// texts

static void fail(const char *file, const char *what)
{
    fprintf(stderr, "%s:1: %s\n", file, what);
    exit(1);
}

static void *take(void *old, size_t size)
{
    void *memory = realloc(old, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static char *read_all(const char *file)
{
    FILE *in = fopen(file, "rb");
    if (!in) {
        fail(file, "the file cannot be opened; expected a source of core");
    }
    size_t size = 0, room = 1u << 16;
    char *text = take(NULL, room);
    for (size_t n; (n = fread(text + size, 1, room - size - 1, in)) > 0;) {
        size += n;
        if (room - size < 2) {
            text = take(text, room *= 2);
        }
    }
    fclose(in);
    text[size] = '\0';
    return text;
}

static char *join(const char *folder, const char *name)
{
    char *path = take(NULL, strlen(folder) + strlen(name) + 2);
    sprintf(path, "%s/%s", folder, name);
    return path;
}

typedef struct names {
    char **at;
    int count;
} names;

static bool has(const names *list, const char *text, size_t length)
{
    for (int i = 0; i < list->count; i++) {
        if (strlen(list->at[i]) == length && memcmp(list->at[i], text, length) == 0) {
            return true;
        }
    }
    return false;
}

static void add(names *list, const char *text, size_t length)
{
    if (!has(list, text, length)) {
        list->at = take(list->at, (size_t)(list->count + 1) * sizeof *list->at);
        char *copy = take(NULL, length + 1);
        memcpy(copy, text, length);
        copy[length] = '\0';
        list->at[list->count++] = copy;
    }
}

static void drop(names *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->at[i]);
    }
    free(list->at);
    *list = (names){ NULL, 0 };
}

// ---------------------------------------------------------------------------------------------
// tokens

typedef enum kind { END, SPACE, WORD, OTHER, HASH } kind; // HASH: the # of a directive

typedef struct token {
    kind kind;
    const char *text;
    size_t length;
} token;

static size_t quoted(const char *s)
{
    size_t n = 1;
    while (s[n] && s[n] != s[0]) {
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    }
    return s[n] ? n + 1 : n;
}

// white space with its comments; 0: none here
static size_t blank(const char *s)
{
    size_t n = 0;
    for (;;) {
        if (s[n] && isspace((unsigned char)s[n])) {
            n++;
        } else if (s[n] == '\\' && s[n + 1] == '\n') {
            n += 2;
        } else if (s[n] == '/' && s[n + 1] == '/') {
            n += strcspn(s + n, "\n");
        } else if (s[n] == '/' && s[n + 1] == '*') {
            const char *end = strstr(s + n + 2, "*/");
            n = end ? (size_t)(end - s) + 2 : strlen(s);
        } else {
            return n;
        }
    }
}

static token scan(const char *s)
{
    if (*s == '\0') {
        return (token){ END, s, 0 };
    }
    size_t n = blank(s);
    if (n > 0) {
        return (token){ SPACE, s, n };
    }
    if (*s == '#') {
        return (token){ HASH, s, 1 };
    }
    if (*s == '"' || *s == '\'') {
        return (token){ OTHER, s, quoted(s) };
    }
    if (isalpha((unsigned char)*s) || *s == '_') {
        while (isalnum((unsigned char)s[n]) || s[n] == '_') {
            n++;
        }
        return (token){ WORD, s, n };
    }
    if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]))) {
        while (isalnum((unsigned char)s[n]) || s[n] == '.' || s[n] == '_' ||
               ((s[n] == '+' || s[n] == '-') && n > 0 && strchr("eEpP", s[n - 1]))) {
            n++;
        }
        return (token){ OTHER, s, n };
    }
    return (token){ OTHER, s, *s == '-' && s[1] == '>' ? 2u : 1u };
}

static bool is(token t, const char *text)
{
    return t.length == strlen(text) && memcmp(t.text, text, t.length) == 0;
}

// the next token that is not space
static token after(token t)
{
    do {
        t = scan(t.text + t.length);
    } while (t.kind == SPACE);
    return t;
}

// to the end of a directive, over continued lines; t is its #
static const char *directive_end(token t)
{
    const char *s = t.text;
    for (;;) {
        s += strcspn(s, "\n");
        if (*s == '\0' || s[-1] != '\\') {
            return s;
        }
        s++;
    }
}

// ---------------------------------------------------------------------------------------------
// what a file declares for itself

typedef struct scope {
    names own, macros;
} scope;

static void add_own(scope *s, token t)
{
    // names of the project stand for the whole program
    if (t.kind == WORD && strncmp(t.text, "ecp_", 4) != 0 && strncmp(t.text, "ECP_", 4) != 0) {
        add(&s->own, t.text, t.length);
    }
}

// one declaration outside all braces: from its first token to its ; or to the end of its body
static token declaration(scope *s, token t)
{
    const bool is_static = is(t, "static"), is_typedef = is(t, "typedef");
    bool in_enum = false, named = false, is_function = false;
    token last = { OTHER, "", 0 }, before = last;
    int braces = 0, parens = 0;
    for (; t.kind != END; before = last, last = t, t = after(t)) {
        if (t.kind == HASH) {
            t = (token){ OTHER, t.text, (size_t)(directive_end(t) - t.text) };
            continue;
        }
        const bool tag = is(last, "struct") || is(last, "union") || is(last, "enum");
        const bool outside = braces == 0 && parens == 0;
        if (braces == 0 && t.kind == WORD && tag) {
            add_own(s, t);
            in_enum = is(last, "enum");
        } else if (in_enum && braces == 1 && t.kind == WORD && (is(last, "{") || is(last, ","))) {
            add_own(s, t);
        } else if (outside && is_typedef && (is(t, ";") || is(t, "[") || is(t, ","))) {
            add_own(s, last);
        } else if (is_typedef && braces == 0 && t.kind == WORD && is(last, "*") && is(before, "(")) {
            add_own(s, t);
        } else if (outside && is_static && !named &&
                   (is(t, "(") || is(t, "=") || is(t, ";") || is(t, "[") || is(t, ","))) {
            add_own(s, last);
            named = is(t, "(") || is(t, "=") || is(t, "[");
        }
        in_enum = in_enum || (is(t, "enum") && braces == 0);
        parens += is(t, "(") - is(t, ")");
        braces += is(t, "{") - is(t, "}");
        named = named && !(outside && is(t, ","));
        is_function = is_function || (outside && is(t, "{") && is(last, ")"));
        if (braces == 0 && parens == 0 && is(t, is_function ? "}" : ";")) {
            return after(t);
        }
    }
    return t;
}

static scope declared(const char *text)
{
    scope s = { { NULL, 0 }, { NULL, 0 } };
    token t = after((token){ SPACE, text, 0 });
    while (t.kind != END) {
        if (t.kind != HASH) {
            t = declaration(&s, t);
            continue;
        }
        const token word = after(t);
        if (is(word, "define")) {
            const token name = after(word);
            add(&s.macros, name.text, name.length);
        }
        t = after((token){ OTHER, t.text, (size_t)(directive_end(t) - t.text) });
    }
    return s;
}

// ---------------------------------------------------------------------------------------------
// ecp.c

typedef struct output {
    const char *core;
    names seen; // headers, of core and of the system
} output;

static void put_file(output *out, const char *path, const scope *s, const char *prefix);

// an #include: a header of core once in place, one of the system once as it is
static void put_include(output *out, token name, const char *end)
{
    const size_t length = (size_t)(end - name.text);
    if (has(&out->seen, name.text, length)) {
        return;
    }
    add(&out->seen, name.text, length);
    if (*name.text == '<' || strncmp(name.text, "\"ecp.h\"", 7) == 0) {
        printf("#include %.*s", (int)length, name.text);
        return;
    }
    char file[200];
    snprintf(file, sizeof file, "%.*s", (int)strcspn(name.text + 1, "\""), name.text + 1);
    char *path = join(out->core, file);
    put_file(out, path, NULL, NULL);
    free(path);
}

// open braces of structs and unions, and of everything else: a stack of at most 64
typedef struct braces {
    bool is_struct[64];
    int depth;
} braces;

static void follow(braces *b, token t, bool struct_next)
{
    if (is(t, "{") && b->depth < 64) {
        b->is_struct[b->depth++] = struct_next;
    } else if (is(t, "}") && b->depth > 0) {
        b->depth--;
    }
}

static bool renamed(const scope *s, token last, token t, const braces *b)
{
    if (!s || t.kind != WORD || !has(&s->own, t.text, t.length) || is(last, ".") || is(last, "->")) {
        return false;
    }
    const token next = after(t);
    const bool declarator = is(next, ";") || is(next, ",") || is(next, "[") || is(next, ":") ||
                            is(next, ")");
    return !(b->depth > 0 && b->is_struct[b->depth - 1] && declarator);
}

static void put_file(output *out, const char *path, const scope *s, const char *prefix)
{
    char *text = read_all(path);
    braces b = { { false }, 0 };
    token last = { OTHER, "", 0 };
    bool struct_next = false;
    printf("\n// ======== %s\n", path);
    for (token t = scan(text); t.kind != END; t = scan(t.text + t.length)) {
        const token word = t.kind == HASH ? after(t) : t;
        if (t.kind == HASH && is(word, "include")) {
            const char *end = directive_end(t);
            put_include(out, after(word), end);
            t = (token){ OTHER, t.text, (size_t)(end - t.text) };
            continue;
        }
        if (renamed(s, last, t, &b)) {
            fputs(prefix, stdout);
        }
        printf("%.*s", (int)t.length, t.text);
        if (t.kind == SPACE) {
            continue;
        }
        follow(&b, t, struct_next);
        struct_next = is(t, "struct") || is(t, "union") || (struct_next && t.kind == WORD);
        last = t;
    }
    free(text);
}

static void put_source(output *out, const char *file)
{
    char prefix[200];
    const char *start = file + (strncmp(file, out->core, strlen(out->core)) == 0 ? strlen(out->core) + 1 : 0);
    snprintf(prefix, sizeof prefix, "ecp_%.*s_", (int)strcspn(start, "."), start);
    for (char *c = prefix; *c; c++) {
        *c = isalnum((unsigned char)*c) ? *c : '_';
    }
    char *text = read_all(file);
    scope s = declared(text);
    free(text);
    put_file(out, file, &s, prefix);
    for (int i = 0; i < s.macros.count; i++) {
        printf("#undef %s\n", s.macros.at[i]);
    }
    drop(&s.own);
    drop(&s.macros);
}

static void make_source(const char *core, int count, char **files)
{
    output out = { core, { NULL, 0 } };
    puts("// ecp.c - ecpredict in one file, made from core/ by `make dist`. See ecp.h.\n"
         "//\n"
         "// The same bits on every machine need no contraction of a*b + c into one rounding:\n"
         "#if defined(__clang__)\n"
         "#pragma STDC FP_CONTRACT OFF\n"
         "#pragma clang diagnostic ignored \"-Wunused-function\"\n"
         "#elif defined(__GNUC__)\n"
         "#pragma GCC optimize(\"fp-contract=off\")\n"
         "#endif\n"
         "#ifdef __FAST_MATH__\n"
         "#error \"-ffast-math removes the checks for numbers that are not finite; compile ecp.c without it\"\n"
         "#endif\n"
         "#include \"ecp.h\"");
    add(&out.seen, "\"ecp.h\"", 7);
    for (int i = 0; i < count; i++) {
        put_source(&out, files[i]);
    }
    drop(&out.seen);
}

// ---------------------------------------------------------------------------------------------
// ecp.h

typedef struct parts {
    const char *profile, *config, *core;
} parts;

static void put_header(const parts *p, const char *path);

static void put_line(const parts *p, const char *line, size_t length)
{
    char part[200];
    if (sscanf(line, "#include \"%199[^\"]\"", part) == 1) {
        char *path = join(strcmp(part, "ecp_config.h") == 0 ? p->config : p->core, part);
        put_header(p, path);
        free(path);
    } else if (strncmp(line, "#include ECP_CONFIG_STRING(", 27) == 0) {
        snprintf(part, sizeof part, "profiles/%.100s.h", p->profile);
        char *path = join(p->config, part);
        put_header(p, path);
        free(path);
    } else {
        printf("%.*s\n", (int)length, line);
    }
}

static void put_header(const parts *p, const char *path)
{
    char *text = read_all(path);
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        put_line(p, line, length);
        line += length + (line[length] == '\n');
    }
    free(text);
}

static void make_header(const parts *p, int count, char **defines)
{
    char *path = join(p->core, "ecp.h");
    printf("// ecpredict in two files, profile %s, made from core/ and config/ by `make dist`: put ecp.c and\n"
           "// ecp.h into any project. Limits below may be overridden with -D, for all files alike.\n"
           "#undef ECP_PROFILE\n#define ECP_PROFILE %s\n", p->profile, p->profile);
    for (int i = 0; i < count; i++) {
        const char *name = defines[i] + 2, *value = strchr(name, '=');
        const int length = value ? (int)(value - name) : (int)strlen(name);
        if (strncmp(name, "ECP_PROFILE", 11) != 0) {
            printf("#ifndef %.*s\n#define %.*s %s\n#endif\n", length, name, length, name, value ? value + 1 : "1");
        }
    }
    put_header(p, path);
    free(path);
}

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[1], "header") == 0) {
        make_header(&(parts){ argv[2], argv[3], argv[4] }, argc - 5, argv + 5);
    } else if (argc >= 4 && strcmp(argv[1], "source") == 0) {
        make_source(argv[2], argc - 3, argv + 3);
    } else {
        fputs("amalgamate: expected header PROFILE CONFIGDIR COREDIR or source COREDIR FILE.c ...\n", stderr);
        return 2;
    }
    return fflush(stdout) != 0 || ferror(stdout) ? 1 : 0;
}
