// zip.h - writes ZIP archives: members stored as they are, CRC-32, no time stamps: the same contents give the
// same bytes.
#ifndef ECP_TOOL_ZIP_H
#define ECP_TOOL_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct zip_member {
    char *name;
    uint32_t crc, size, offset;
} zip_member;

typedef struct zip {
    FILE *out;
    zip_member *members;
    unsigned count;
    uint64_t end; ///< bytes written
    bool failed;
} zip;

void zip_start(zip *z, FILE *out);
/// Add a file; name with / between folders. At most 65535 members, 4 GiB in all.
void zip_add(zip *z, const char *name, const void *data, size_t size);
/// Write the directory and free everything but the FILE. False: some write failed or a limit was passed.
bool zip_finish(zip *z);
/// CRC-32 (IEEE 802.3) of some bytes.
uint32_t zip_crc(const void *data, size_t size);

#endif
