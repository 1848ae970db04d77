#include "suggest.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 40 // characters; longer words get no suggestion

static int least(int a, int b)
{
    return a < b ? a : b;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// letters to insert, leave out, replace or swap with a neighbour
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    const int n = (int)strlen(a), m = (int)strlen(b);
    for (int j = 0; j <= m; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            const char x = lower(a[i - 1]), y = lower(b[j - 1]);
            row[j] = least(above[j - 1] + (x != y), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2])) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

suggestion suggest(const char *word)
{
    return (suggestion){ .word = word };
}

void suggest_offer(suggestion *s, const char *known)
{
    const size_t n = strlen(s->word), m = strlen(known);
    if (n == 0u || n > LONGEST || m > LONGEST) {
        return;
    }
    const int d = distance(s->word, known);
    // one slip in short words, one in three letters in long ones; nothing that is all new
    const int most = n < 6u ? 1 : (int)(n / 3u);
    if (d <= most && d < (int)m && (!s->best || d < s->distance)) {
        s->best = known;
        s->distance = d;
    }
}

const char *suggest_text(suggestion *s)
{
    s->text[0] = '\0';
    if (s->best) {
        (void)snprintf(s->text, sizeof s->text, ", did you mean '%.40s'?", s->best);
    }
    return s->text;
}
