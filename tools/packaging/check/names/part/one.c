// Declares for itself what the other file declares too, in every way core might.
#include "part/shared.h"

#include <stdbool.h>

#define LENGTH 1
#define SCALE(x) \
    ((x) * LENGTH + count)

enum { FIRST = 1, SECOND = 10 * FIRST };
typedef enum kind { ROUND = 100 * 1, FLAT } kind;
typedef int (*rule)(int x);
typedef struct state {
    kind kind; // a member of the name of a type
    rule rule;
    int count, table[LENGTH];
} state;
typedef int numbers[LENGTH];
struct box {
    struct box *next;
    int limit;
};
union word {
    int whole;
    char part[4];
};

static const int count = 1000 * 1, limit[LENGTH] = { 7 };
static const struct { const char *text; int size; } table[] = { { "one ' \" two", LENGTH }, { "b", SECOND } };
static int scale(int x);
static inline bool is_flat(const state *s)
{
    return s->kind == FLAT;
}

#if LENGTH == 1
static int only(void) { return 1; }
#else
static int only(void) { return 2; }
#endif

static int scale(int x)
{
    const struct box box = { .next = 0, .limit = limit[0] };
    union word word = { .whole = x };
    return SCALE(word.whole) + box.limit;
}

int ecp_one(void)
{
    const ecp_pair pair = { .count = 1, .limit = 2, .scale = 3 };
    const state s = { .kind = FLAT, .rule = scale, .count = FIRST };
    numbers sizes = { table[0].size };
    return s.rule(s.count) + pair.scale + pair.limit + pair.count + sizes[0] + is_flat(&s) + only() + (int)ROUND;
}
