#!/bin/sh
# Every compile-time limit is checked, and may come from -D or from a file. usage: config.sh CC
cc=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0

compiles() { # FLAGS: the public header alone
    "$cc" -std=c11 -Iconfig -Icore "$@" -x c -fsyntax-only core/ecp.h 2> "$dir/err"
}

refused() { # NAME VALUE: the error names the limit
    if compiles "-D$1=$2" || ! grep -q "#error.*$1" "$dir/err"; then
        echo "config: $1=$2 is not refused by name"
        bad=1
    fi
}

while read -r name low high; do
    refused "$name" "$low"
    refused "$name" "$high"
done <<'END'
ECP_REAL_BITS 16 128
ECP_MAX_BODIES 0 65
ECP_MAX_CONTACTS 0 65
ECP_MAX_FACETS 5 257
ECP_MAX_PIECES 0 65
ECP_MAX_ITERATIONS 9 10001
ECP_MAX_SUBSTEPS 0 3
ECP_WITH_TREE -1 2
ECP_MAX_LINKS 0 65
ECP_MAX_DOF 0 129
ECP_MAX_JOINTS 0 33
ECP_WITH_POINTS -1 2
ECP_MAX_POINTS 0 129
ECP_MAX_DIRECTIONS 3 16
END

limit() { # WANTED FLAGS: what ECP_MAX_BODIES is
    wanted=$1
    shift
    printf '#include "ecp_config.h"\n_Static_assert(ECP_MAX_BODIES == %s, "other value");\n' "$wanted" > "$dir/limit.c"
    if ! "$cc" -std=c11 -Iconfig "$@" -fsyntax-only "$dir/limit.c"; then
        echo "config: ECP_MAX_BODIES is not $wanted with $*"
        bad=1
    fi
}
echo '#define ECP_MAX_BODIES 5' > "$dir/my_limits.h"
echo '#ifndef ECP_MAX_BODIES
#define ECP_MAX_BODIES 5
#endif' > "$dir/yielding.h"
limit 32 -DECP_PROFILE=host
limit 3 -DECP_PROFILE=tiny
limit 7 -DECP_PROFILE=tiny -DECP_MAX_BODIES=7
limit 5 -DECP_PROFILE=tiny "-DECP_CONFIG_FILE=\"$dir/my_limits.h\""
limit 7 -DECP_MAX_BODIES=7 "-DECP_CONFIG_FILE=\"$dir/yielding.h\""
[ "$bad" = 0 ] && echo "config: every limit is checked and can be set"
exit "$bad"
