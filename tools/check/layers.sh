#!/bin/sh
# Layer rule of core: world(3) -> contact, tree(2) -> shape, solve(1) -> math(0). A file may include
# its own folder, lower ranks and the public header; of libc only the headers that carry no state.
# What stands outside core (firmware, port, tools) includes its public header only.
cd "$(dirname "$0")/../.." || exit 2
bad=$(awk '
    BEGIN { rank["math"]=0; rank["shape"]=1; rank["solve"]=1; rank["contact"]=2; rank["tree"]=2; rank["world"]=3 }
    FNR == 1 { n = split(FILENAME, part, "/"); own = n > 2 ? part[2] : "" }
    /^[ \t]*#[ \t]*include[ \t]*</ && !/<(stdint|stddef|stdbool|float|math)\.h>/ {
        printf "%s:%d: core may include only stdint stddef stdbool float math: %s\n", FILENAME, FNR, $0 }
    /^[ \t]*#[ \t]*include[ \t]*"[a-z]+\// {
        split($0, q, "\""); split(q[2], p, "/"); d = p[1]
        if (!(d in rank) || (d != own && rank[d] >= rank[own]))
            printf "%s:%d: %s must not include %s\n", FILENAME, FNR, own, d }' core/*.h core/*/*.[ch])
# applications and ports see the public headers only; core sees neither
bad=$bad$(grep -nE '^[ \t]*#[ \t]*include[ \t]*"(math|shape|solve|contact|tree|world)/' \
    $(find firmware port tools -name '*.[ch]') | sed 's/$/: only core\/ecp.h is for use outside core/')
bad=$bad$(grep -nE '^[ \t]*#[ \t]*include[ \t]*"(ecp_port|scene_data|hash|print|stack)\.h"' core/*.h core/*/*.[ch])
if [ -n "$bad" ]; then
    printf '%s\n' "$bad"
    exit 1
fi
echo "layers: ok"
