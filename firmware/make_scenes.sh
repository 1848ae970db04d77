#!/bin/sh
# make_scenes.sh ECP OUT.c SCENARIO...: one C file with every scenario that fits the profile of ECP,
# each with the hash that the host reaches, and the table of all. What does not fit is named.
set -eu
ecp=$1 out=$2
shift 2
tmp=$out.tmp
: > "$tmp"
names=
for file in "$@"; do
    if "$ecp" gen "$file" --hash -o - > "$out.one" 2> "$out.err"; then
        cat "$out.one" >> "$tmp"
        names="$names $(basename "$file" .toml)"
    elif grep -q 'ECP_MAX_\|ECP_WITH_' "$out.err"; then
        echo "left out, does not fit the profile: $(basename "$file")"
        printf '// left out, does not fit the profile: %s\n' "$(basename "$file")" >> "$tmp"
    else
        cat "$out.err" >&2
        exit 1
    fi
done
[ -n "$names" ] || { echo "no scenario fits the profile" >&2; exit 1; }
{
    printf '\n#include "scenes.h"\n\nconst scene_data *const scenes[] = {\n'
    for name in $names; do printf '    &scene_%s,\n' "$name"; done
    printf '};\nconst int scene_count = (int)(sizeof scenes / sizeof *scenes);\n'
} >> "$tmp"
rm -f "$out.one" "$out.err"
mv "$tmp" "$out"
