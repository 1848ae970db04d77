// toml.h - reads the subset of TOML that scenario files use.
//
// Comments, `key = value`, strings ("..." and '...'), numbers, booleans, arrays of numbers or of
// strings (may span lines) and [[table]] arrays. Everything else of TOML is refused by name.
// An error within a value carries the line of its key, and a caret under the value; a binary file
// the line 1 and no caret.
#ifndef ECP_TOOL_TOML_H
#define ECP_TOOL_TOML_H

#include "fault.h"

#include <stddef.h>

typedef enum toml_type { TOML_NUMBER = 1, TOML_STRING, TOML_BOOLEAN, TOML_ARRAY } toml_type;

typedef struct toml_value {
    toml_type type;
    text_place where;
    double number; ///< always finite
    bool boolean;
    char *string; ///< UTF-8, no NUL inside
    int count;    ///< items of an array, all numbers or all strings
    struct toml_value *items;
} toml_value;

typedef struct toml_key {
    char *name;
    int line;
    text_place where;
    toml_value value;
} toml_key;

typedef struct toml_table {
    char *name; ///< "" for the keys before the first [[table]]
    int line;   ///< of the header; 1 for the keys before the first
    int count;
    toml_key *keys;
} toml_table;

/// tables[0] holds the keys before the first header; the rest stand in file order.
typedef struct toml_doc {
    int count;
    toml_table *tables;
} toml_doc;

/// Keys that one table may have.
#define TOML_MAX_KEYS 64

/// Parse a text of the given length. On failure *why is filled and *doc is empty.
bool toml_parse(toml_doc *doc, const char *text, size_t length, fault *why);
void toml_free(toml_doc *doc);
/// The key of that name, or NULL.
const toml_key *toml_find(const toml_table *table, const char *name);

#endif
