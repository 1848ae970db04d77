#!/bin/sh
# Degraded rate of the random set for several iteration caps: which rungs fit, and what that costs.
# usage: ladder.sh BUILD-DIR [SEED TRIALS STEPS]
set -eu
build=$1 seed=${2:-1} trials=${3:-600} steps=${4:-100}
printf '%-6s %-8s %9s %11s %9s %9s %7s\n' cap reals steps substepped degraded 'per 1e4' p99
for bits in 64 32; do
    for cap in 16 32 64 96 192 512; do
        dir=$build/ladder/$bits-$cap
        make -s BUILD="$dir" CFLAGS="-DECP_MAX_ITERATIONS=$cap -DECP_REAL_BITS=$bits" "$dir/ecp" > "$build/ladder.log" 2>&1 ||
            { cat "$build/ladder.log"; exit 1; }
        "$dir/ecp" soak --seed "$seed" --trials "$trials" --steps "$steps" --json |
            sed -n 's/.*"steps": \([0-9]*\), "substepped": \([0-9]*\), "degraded": \([0-9]*\).*"iterations_p99": \([0-9]*\).*/\1 \2 \3 \4/p' |
            awk -v cap="$cap" -v bits="$bits" '{printf "%-6d %-8s %9d %11d %9d %9.2f %7d\n", cap, bits == 64 ? "double" : "float", $1, $2, $3, 1e4 * $3 / $1, $4}'
    done
done
