// suggest.h - "did you mean": the known word nearest to a misspelt one.
#ifndef ECP_TOOL_SUGGEST_H
#define ECP_TOOL_SUGGEST_H

typedef struct suggestion {
    const char *word; ///< as it was written
    const char *best; ///< nearest so far, or NULL
    int distance;
    char text[64];
} suggestion;

suggestion suggest(const char *word);
/// Consider a known word; it must outlive the suggestion.
void suggest_offer(suggestion *s, const char *known);
/// ", did you mean 'best'?", or "" when nothing known is near.
const char *suggest_text(suggestion *s);

#endif
