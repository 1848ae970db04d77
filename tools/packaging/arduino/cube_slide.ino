// A cube slides on a plane for 400 steps; the hash of its run goes to the console. The same number comes
// from `ecp run tools/scenarios/cube_slide.toml --hash` on a computer, for the same real type.
#include "cube_slide.h"

void setup()
{
    Serial.begin(115200);
    const uint64_t hash = cube_slide();
    for (int shift = 60; shift >= 0; shift -= 4) {
        Serial.print((unsigned long)((hash >> shift) & 0xf), HEX);
    }
    Serial.println();
}

void loop()
{
}
