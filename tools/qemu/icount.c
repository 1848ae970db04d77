// icount.c - a plugin of QEMU (API 1: QEMU 6.2 to 8.2) that counts the instructions between two
// addresses, every time they are passed, and writes one number per line.
//
//   qemu-system-arm ... -plugin file=icount.so,begin=0x1234,end=0x1238,out=counts.txt
//
// The declarations are written out here because distributions ship the program without the header.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
struct block;
struct instruction;
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translate)(plugin_id, struct block *));
void qemu_plugin_register_atexit_cb(plugin_id id, void (*leave)(plugin_id, void *), void *context);
size_t qemu_plugin_tb_n_insns(const struct block *block);
struct instruction *qemu_plugin_tb_get_insn(const struct block *block, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct instruction *instruction);
void qemu_plugin_register_vcpu_insn_exec_inline(struct instruction *instruction, int add, void *to,
                                                uint64_t amount);
void qemu_plugin_register_vcpu_insn_exec_cb(struct instruction *instruction,
                                            void (*run)(unsigned cpu, void *context), int flags,
                                            void *context);

#define EXPORT __attribute__((visibility("default")))
extern EXPORT int qemu_plugin_version;
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

int qemu_plugin_version = 1;

static uint64_t count, started, begin, end;
static int inside;
static FILE *out;

static void on_begin(unsigned cpu, void *context)
{
    (void)cpu;
    (void)context;
    started = count;
    inside = 1;
}

static void on_end(unsigned cpu, void *context)
{
    (void)cpu;
    (void)context;
    if (inside) {
        fprintf(out, "%llu\n", (unsigned long long)(count - started));
    }
    inside = 0;
}

static void translate(plugin_id id, struct block *block)
{
    (void)id;
    const size_t n = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < n; i++) {
        struct instruction *x = qemu_plugin_tb_get_insn(block, i);
        const uint64_t at = qemu_plugin_insn_vaddr(x);
        qemu_plugin_register_vcpu_insn_exec_inline(x, 0, &count, 1);
        if (at == begin) {
            qemu_plugin_register_vcpu_insn_exec_cb(x, on_begin, 0, NULL);
        } else if (at == end) {
            qemu_plugin_register_vcpu_insn_exec_cb(x, on_end, 0, NULL);
        }
    }
}

static void leave(plugin_id id, void *context)
{
    (void)id;
    (void)context;
    fclose(out);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        if (!value) {
            return -1;
        }
        if (strncmp(argv[i], "begin=", 6) == 0) {
            begin = strtoull(value + 1, NULL, 0) & ~UINT64_C(1); // bit 0 says Thumb
        } else if (strncmp(argv[i], "end=", 4) == 0) {
            end = strtoull(value + 1, NULL, 0) & ~UINT64_C(1);
        } else if (strncmp(argv[i], "out=", 4) == 0) {
            out = fopen(value + 1, "w");
        }
    }
    if (!out || !begin || !end) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, leave, NULL);
    return 0;
}
