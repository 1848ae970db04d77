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

static int expect(bool holds, const char *what)
{
    if (!holds) {
        print_text("FAIL port: ");
        print_text(what);
        print_text("\n");
    }
    return holds ? 0 : 1;
}

// what the contract of ecp_port.h promises and a target can see of it
static int port_failures(void)
{
    int failures = expect(ecp_port_cycles_per_us() > 0, "counts per microsecond are 0");
    const uint32_t key = ecp_port_lock();
    const uint32_t inner = ecp_port_lock();
    const uint32_t start = ecp_port_cycles();
    uint64_t last = ecp_port_time_us();
    bool forward = true;
    ecp_port_unlock(inner);
    ecp_port_unlock(key);
    for (int i = 0; i < 1000; i++) {
        const uint64_t now = ecp_port_time_us();
        forward = forward && now >= last;
        last = now;
    }
    failures += expect(forward, "the clock ran backwards");
    ecp_port_sleep_until_us(last + 1000u);
    failures += expect(ecp_port_time_us() >= last + 1000u, "woke up early");
    failures += expect(ecp_port_cycles() != start, "the counter stands still");
    ecp_port_sleep_until_us(0);
    return failures;
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
    int failures = port_failures() + unit_tests();
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
