// Layout of an archive: per member a local header and its bytes, then one central header per member, then the
// end record. All numbers are little-endian. Times are zero points of the format: 1 January 1980, 00:00.
#include "zip.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 20, DATE = 0x21, UNIX = 3 << 8, FILE_MODE = 0100644 };

uint32_t zip_crc(const void *data, size_t size)
{
    const unsigned char *byte = data;
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= byte[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0u);
        }
    }
    return ~crc;
}

static void put(zip *z, const void *data, size_t size)
{
    z->failed = z->failed || fwrite(data, 1, size, z->out) != size;
    z->end += size;
}

static void put16(zip *z, uint32_t x)
{
    put(z, (const unsigned char[2]){ (unsigned char)(x & 0xffu), (unsigned char)(x >> 8 & 0xffu) }, 2);
}

static void put32(zip *z, uint32_t x)
{
    put16(z, x & 0xffffu);
    put16(z, x >> 16);
}

// what the local and the central header share
static void put_common(zip *z, const zip_member *m)
{
    put16(z, VERSION);
    put16(z, 0); // flags
    put16(z, 0); // stored
    put16(z, 0); // time
    put16(z, DATE);
    put32(z, m->crc);
    put32(z, m->size);
    put32(z, m->size);
    put16(z, (uint32_t)strlen(m->name));
    put16(z, 0); // extra field
}

void zip_start(zip *z, FILE *out)
{
    *z = (zip){ .out = out };
}

void zip_add(zip *z, const char *name, const void *data, size_t size)
{
    zip_member *members = realloc(z->members, (z->count + 1u) * sizeof *members);
    char *copy = malloc(strlen(name) + 1u);
    if (!members || !copy) {
        abort();
    }
    strcpy(copy, name);
    z->failed = z->failed || z->count == 65535u || size > UINT32_MAX || z->end > UINT32_MAX - size;
    z->members = members;
    members[z->count] = (zip_member){ copy, zip_crc(data, size), (uint32_t)size, (uint32_t)z->end };
    put32(z, 0x04034b50u);
    put_common(z, &members[z->count++]);
    put(z, name, strlen(name));
    put(z, data, size);
}

static void put_central(zip *z, const zip_member *m)
{
    put32(z, 0x02014b50u);
    put16(z, UNIX | VERSION);
    put_common(z, m);
    put16(z, 0); // comment
    put16(z, 0); // disk
    put16(z, 0); // internal attributes
    put32(z, (uint32_t)FILE_MODE << 16);
    put32(z, m->offset);
    put(z, m->name, strlen(m->name));
}

bool zip_finish(zip *z)
{
    const uint64_t start = z->end;
    for (unsigned i = 0; i < z->count; i++) {
        put_central(z, &z->members[i]);
        free(z->members[i].name);
    }
    const uint64_t size = z->end - start;
    z->failed = z->failed || z->end > UINT32_MAX;
    put32(z, 0x06054b50u);
    put32(z, 0); // disks
    put16(z, z->count);
    put16(z, z->count);
    put32(z, (uint32_t)size);
    put32(z, (uint32_t)start);
    put16(z, 0); // comment
    free(z->members);
    z->members = NULL;
    return !z->failed;
}
