#!/bin/sh
# mix.sh CC LIB PROFILE: a caller built for another real type or other limits must not link.
cc=$1; lib=$2; profile=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/caller.c" <<'C'
#include "ecp.h"
static ecp_world world;
int main(void)
{
    const ecp_settings settings = { .gravity = { 0, 0, -10 } };
    return ecp_world_init(&world, &settings) == ECP_OK ? 0 : 1;
}
C
build() { $cc -std=c11 -Iconfig -Icore "$@" "$tmp/caller.c" "$lib" -lm -o "$tmp/caller" 2>/dev/null; }
build -DECP_PROFILE="$profile" && "$tmp/caller" || { echo "mix: the right caller does not link"; exit 1; }
other=$([ "$profile" = host ] || [ "$profile" = m7 ] && echo 32 || echo 64)
if build -DECP_PROFILE="$profile" -DECP_REAL_BITS="$other"; then echo "mix: the other real type links"; exit 1; fi
if build -DECP_PROFILE="$profile" -DECP_MAX_BODIES=5; then echo "mix: other limits link"; exit 1; fi
echo "mix: ok"
