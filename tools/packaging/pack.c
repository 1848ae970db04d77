// pack OUT.zip FOLDER NAME ...: the files FOLDER/NAME as the archive OUT.zip, under the last part of FOLDER.
#include "zip.h"

#include <stdlib.h>
#include <string.h>

static int add_file(zip *z, const char *folder, const char *name)
{
    static unsigned char data[1 << 22];
    char path[1000];
    const char *slash = strrchr(folder, '/');
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    const size_t size = in ? fread(data, 1, sizeof data, in) : 0;
    const int bad = !in || ferror(in) || size == sizeof data;
    if (in) {
        fclose(in);
    }
    if (bad) {
        fprintf(stderr, "%s:1: the file cannot be read; expected a file of less than 4 MiB\n", path);
        return 1;
    }
    (void)snprintf(path, sizeof path, "%s/%s", slash ? slash + 1 : folder, name);
    zip_add(z, path, data, size);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: pack OUT.zip FOLDER NAME ...\n", stderr);
        return 2;
    }
    FILE *out = fopen(argv[1], "wb");
    if (!out) {
        perror(argv[1]);
        return 1;
    }
    zip z;
    int bad = 0;
    zip_start(&z, out);
    for (int i = 3; i < argc && !bad; i++) {
        bad = add_file(&z, argv[2], argv[i]);
    }
    bad = !zip_finish(&z) || bad;
    return fclose(out) != 0 || bad;
}
