// xml.h - a reader of XML for the tests: elements with attributes, no text, no namespaces. It refuses what is
// not well-formed: tags that do not match, an attribute twice, bare < and &.
#ifndef TEST_XML_H
#define TEST_XML_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { XML_ATTRIBUTES = 16, XML_DEPTH = 16, XML_TEXT = 300 };

typedef struct xml_element {
    char name[64];
    char path[400]; // names of the elements around it, each with a / behind
    int count;
    char attribute[XML_ATTRIBUTES][64], value[XML_ATTRIBUTES][XML_TEXT];
} xml_element;

typedef struct xml {
    const char *at;
    char open[XML_DEPTH][64];
    int depth;
    bool bad;
} xml;

static bool xml_word(xml *x, char *to, size_t room)
{
    size_t n = 0;
    while (isalnum((unsigned char)*x->at) || (*x->at && strchr("_-.:", *x->at))) {
        if (n + 1 >= room) {
            return false;
        }
        to[n++] = *x->at++;
    }
    to[n] = '\0';
    return n > 0;
}

static void xml_space(xml *x)
{
    x->at += strspn(x->at, " \t\r\n");
}

// a quoted value with its entities replaced
static bool xml_value(xml *x, char *to)
{
    static const struct { const char *text; char c; } entities[] = {
        { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' } };
    size_t n = 0;
    if (*x->at++ != '"') {
        return false;
    }
    while (*x->at && *x->at != '"' && n + 1 < XML_TEXT) {
        char c = *x->at;
        size_t length = 1;
        if (c == '<') {
            return false;
        }
        if (c == '&') {
            length = 0;
            for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
                if (strncmp(x->at, entities[i].text, strlen(entities[i].text)) == 0) {
                    c = entities[i].c;
                    length = strlen(entities[i].text);
                }
            }
            if (length == 0) {
                return false;
            }
        }
        to[n++] = c;
        x->at += length;
    }
    to[n] = '\0';
    return *x->at++ == '"';
}

static const char *xml_get(const xml_element *e, const char *attribute)
{
    for (int i = 0; i < e->count; i++) {
        if (strcmp(e->attribute[i], attribute) == 0) {
            return e->value[i];
        }
    }
    return NULL;
}

static bool xml_attributes(xml *x, xml_element *e)
{
    for (xml_space(x); *x->at != '>' && *x->at != '/'; xml_space(x)) {
        char name[64];
        if (e->count == XML_ATTRIBUTES || !xml_word(x, name, sizeof name) || xml_get(e, name) || *x->at++ != '=' ||
            !xml_value(x, e->value[e->count])) {
            return false;
        }
        strcpy(e->attribute[e->count++], name);
    }
    return true;
}

// the next start of an element; false at the end of the text or where it is no XML (then x->bad)
static bool xml_next(xml *x, xml_element *e)
{
    for (;;) {
        xml_space(x);
        if (*x->at == '\0' || *x->at != '<') {
            x->bad = x->bad || *x->at != '\0' || x->depth != 0;
            return false;
        }
        if (strncmp(x->at, "<?xml ", 6) == 0) {
            x->at = strstr(x->at, "?>") ? strstr(x->at, "?>") + 2 : "!";
            continue;
        }
        char name[64];
        const bool closing = x->at[1] == '/';
        x->at += closing ? 2 : 1;
        *e = (xml_element){ .count = 0 };
        if (!xml_word(x, name, sizeof name) || (!closing && !xml_attributes(x, e)) ||
            (closing && (x->depth == 0 || strcmp(name, x->open[--x->depth]) != 0 || *x->at != '>'))) {
            x->bad = true;
            return false;
        }
        if (closing) {
            x->at++;
            continue;
        }
        strcpy(e->name, name);
        for (int i = 0; i < x->depth; i++) {
            strcat(strcat(e->path, x->open[i]), "/");
        }
        const bool empty = *x->at == '/';
        x->at += empty ? 1 : 0;
        if (*x->at++ != '>' || (!empty && x->depth == XML_DEPTH)) {
            x->bad = true;
            return false;
        }
        if (!empty) {
            strcpy(x->open[x->depth++], name);
        }
        return true;
    }
}

#endif
