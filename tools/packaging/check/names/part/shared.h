#ifndef PART_SHARED_H
#define PART_SHARED_H

#include "ecp.h"

typedef struct ecp_pair {
    int count, limit, scale; // members of names that files use for themselves
} ecp_pair;

int ecp_one(void);
int ecp_two(void);

#endif
