// archive.h - a reader of ZIP archives for the tests: from the format's description, nothing shared with the writer.
#ifndef TEST_ARCHIVE_H
#define TEST_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct archive {
    unsigned char *bytes;
    size_t size, directory;
    unsigned count;
} archive;

typedef struct archive_file {
    char name[256];
    const unsigned char *data;
    size_t size;
} archive_file;

static uint32_t little(const unsigned char *p, int bytes)
{
    uint32_t x = 0;
    for (int i = bytes - 1; i >= 0; i--) {
        x = x << 8 | p[i];
    }
    return x;
}

// bit by bit as a polynomial division, most significant bit of the reflected register last
static uint32_t crc_of(const unsigned char *data, size_t size)
{
    uint32_t rest = 0xffffffffu;
    for (size_t i = 0; i < size * 8u; i++) {
        const uint32_t bit = (uint32_t)data[i / 8u] >> i % 8u & 1u;
        rest = (rest & 1u) != bit ? rest >> 1 ^ 0xedb88320u : rest >> 1;
    }
    return rest ^ 0xffffffffu;
}

static bool archive_open(archive *a, const char *file)
{
    FILE *in = fopen(file, "rb");
    if (!in || fseek(in, 0, SEEK_END) != 0) {
        return false;
    }
    const long size = ftell(in);
    rewind(in);
    *a = (archive){ .size = (size_t)size, .bytes = malloc((size_t)size + 1u) };
    const bool read = a->bytes && fread(a->bytes, 1, a->size, in) == a->size;
    fclose(in);
    // the end record is the last 22 bytes when there is no comment
    if (!read || a->size < 22u) {
        return false;
    }
    const unsigned char *end = a->bytes + a->size - 22;
    a->count = little(end + 10, 2);
    a->directory = little(end + 16, 4);
    return little(end, 4) == 0x06054b50u && little(end + 8, 2) == a->count && little(end + 20, 2) == 0 &&
           a->directory + little(end + 12, 4) + 22u == a->size;
}

// the file of the central header at *place, which moves on; false: something does not fit or is not stored
static bool archive_next(const archive *a, size_t *place, archive_file *file)
{
    const unsigned char *central = a->bytes + *place;
    if (*place + 46u > a->size || little(central, 4) != 0x02014b50u) {
        return false;
    }
    const size_t length = little(central + 28, 2), local = little(central + 42, 4);
    *place += 46u + length + little(central + 30, 2) + little(central + 32, 2);
    if (length >= sizeof file->name || *place > a->size || local + 30u > a->directory) {
        return false;
    }
    memcpy(file->name, central + 46, length);
    file->name[length] = '\0';
    const unsigned char *head = a->bytes + local;
    file->size = little(central + 24, 4);
    file->data = head + 30 + little(head + 26, 2) + little(head + 28, 2);
    // both headers say the same: version, flags, method, time, CRC, sizes, name
    return little(head, 4) == 0x04034b50u && memcmp(head + 4, central + 6, 22) == 0 && little(head + 8, 2) == 0 &&
           memcmp(head + 30, file->name, length) == 0 && little(head + 18, 4) == file->size &&
           (size_t)(file->data - a->bytes) + file->size <= a->directory &&
           crc_of(file->data, file->size) == little(head + 14, 4);
}

#endif
