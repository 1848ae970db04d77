// selftest: does this build on this target compute what the host computes? The unit tests of the
// host, as far as they fit, and every scenario against the hash that the host reached.
// Exit status: the number of failures.
#include "ecp_port.h"
#include "hash.h"
#include "print.h"
#include "scenes.h"
#include "stack.h"

/// Unit tests linked into this image: written by the build. Returns failures.
int unit_tests(void);

static ecp_world world;
static ecp_report report;

static bool fail(const scene_data *s, const char *what, ecp_status status)
{
    print_text("FAIL scene ");
    print_text(s->name);
    print_text(": ");
    print_text(what);
    print_text(", ");
    print_text(ecp_status_name(status));
    print_text(", ");
    print_text(ecp_error(&world));
    print_text("\n");
    return false;
}

static bool run(const scene_data *s)
{
    uint64_t hash = HASH_START;
    ecp_status status = scene_init(s, &world);
    if (status < 0) {
        return fail(s, "the world was refused", status);
    }
    for (uint32_t k = 0; k < s->steps; k++) {
        status = scene_step(s, &world, k, &report);
        if (status < 0) {
            return fail(s, "a step was refused", status);
        }
        hash = hash_world(hash, s, &world);
    }
    print_text("scene ");
    print_text(s->name);
    print_text(" hash: ");
    print_hex(hash);
    print_text("\n");
    return hash == s->hash || fail(s, "not the hash of the host", ECP_OK);
}

int main(void)
{
    ecp_port_init();
    (void)stack_paint();
    print_text("selftest, ecpredict ");
    print_text(ecp_version());
    print_text(", profile " ECP_PROFILE_NAME ", sizeof(ecp_world) ");
    print_number((uint32_t)sizeof(ecp_world));
    print_text("\n");
    print_text(ecp_port_missing());
    int failures = unit_tests();
    int passed = 0;
    for (int i = 0; i < scene_count; i++) {
        passed += run(scenes[i]) ? 1 : 0;
    }
    failures += scene_count - passed;
    print_text("stack ");
    print_number(stack_used(stack_top()));
    print_text("\nselftest: ");
    print_number((uint32_t)passed);
    print_text(" scenes equal the host, ");
    print_number((uint32_t)failures);
    print_text(failures == 0 ? " failures\nOK\n" : " failures\nFAIL\n");
    ecp_port_exit(failures);
}
