// The same numbers from two files compiled apart and from one file made of them.
int ecp_one(void);
int ecp_two(void);

#include <stdio.h>

int main(void)
{
    printf("%d %d\n", ecp_one(), ecp_two());
    return 0;
}
