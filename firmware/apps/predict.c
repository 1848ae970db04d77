// predict: the smallest application. One scenario from flash, step by step; prints its hash.
// Start here for your own: replace scene_load by your sensors and loads, read the report.
#include "ecp_port.h"
#include "hash.h"
#include "print.h"
#include "scenes.h"

static ecp_world world;

int main(void)
{
    const scene_data *s = scenes[0];
    uint64_t hash = HASH_START;
    ecp_report report;
    ecp_port_init();
    ecp_status status = scene_init(s, &world);
    for (uint32_t k = 0; status >= 0 && k < s->steps; k++) {
        status = scene_step(s, &world, k, &report);
        hash = hash_world(hash, s, &world);
    }
    print_text(ecp_status_name(status));
    print_text(", hash: ");
    print_hex(hash);
    print_text("\n");
    ecp_port_exit(status < 0 || hash != s->hash);
}
