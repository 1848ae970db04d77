// embed [--list LIST] NAME=FILE ... > OUT.c: files as constant arrays, for the command to carry along.
//
// Runs on the machine that builds, whatever machine the command is built for; its output is plain C:
//     const unsigned char NAME[] = { ... , 0 };  const size_t NAME_size = ...;   (without the last 0)
// With --list also: const embedded_file LIST[] = { { "NAME", NAME, size }, ..., { NULL, NULL, 0 } };
#include <stdio.h>
#include <string.h>

static int embed(const char *name, const char *file)
{
    FILE *in = fopen(file, "rb");
    unsigned long size = 0;
    int c;
    if (!in) {
        fprintf(stderr, "%s:1: the file cannot be opened; expected a file to embed\n", file);
        return 1;
    }
    printf("extern const unsigned char %s[];\nextern const size_t %s_size;\n", name, name);
    printf("const unsigned char %s[] = {", name);
    while ((c = getc(in)) != EOF) {
        printf("%s%d,", size++ % 24u ? "" : "\n", c);
    }
    printf("\n0 };\nconst size_t %s_size = %lu;\n", name, size);
    const int failed = ferror(in);
    fclose(in);
    return failed ? 1 : 0;
}

static void print_list(const char *list, int argc, char **argv)
{
    printf("const embedded_file %s[] = {\n", list);
    for (int i = 0; i < argc; i++) {
        const int n = (int)strcspn(argv[i], "=");
        printf("    { \"%.*s\", %.*s, sizeof %.*s - 1 },\n", n, argv[i], n, argv[i], n, argv[i]);
    }
    puts("    { NULL, NULL, 0 },\n};");
}

int main(int argc, char **argv)
{
    char name[64];
    const char *list = argc > 2 && strcmp(argv[1], "--list") == 0 ? argv[2] : NULL;
    const int first = list ? 3 : 1;
    puts(list ? "// made by tools/embed\n#include \"assets.h\"" : "// made by tools/embed\n#include <stddef.h>");
    for (int i = first; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        const size_t n = equals ? (size_t)(equals - argv[i]) : sizeof name;
        if (n >= sizeof name) {
            fprintf(stderr, "embed: bad argument '%s'; expected NAME=FILE\n", argv[i]);
            return 2;
        }
        memcpy(name, argv[i], n);
        name[n] = '\0';
        if (embed(name, equals + 1)) {
            return 1;
        }
    }
    if (list) {
        print_list(list, argc - first, argv + first);
    }
    return fflush(stdout) != 0 || ferror(stdout) ? 1 : 0;
}
