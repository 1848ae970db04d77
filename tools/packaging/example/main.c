// A program that uses the library as a package gives it: prints the hash of its run.
#include "cube_slide.h"

#include <stdio.h>

int main(void)
{
    const uint64_t hash = cube_slide();
    // two halves: small C libraries print no 64-bit numbers
    printf("hash: %08lx%08lx\n", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffu));
    return hash == 0;
}
