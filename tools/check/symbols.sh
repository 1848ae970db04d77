#!/bin/sh
# symbols.sh LIB: core needs nothing of libc but sqrt, fabs and the memory copies a compiler emits,
# and has no writable static data.
lib=${1:?usage: symbols.sh LIB}
status=0
bad=$(nm "$lib" | awk 'NF == 2 && $1 == "U" { print $2 }' | sort -u |
    grep -vE '^(ecp_|sqrtf?$|fabsf?$|mem(cpy|set|move|cmp)$|__(asan|ubsan|stack_chk)_|_GLOBAL_OFFSET_TABLE_)')
if [ -n "$bad" ]; then
    echo "$lib: core must not need:" $bad
    status=1
fi
data=$(nm "$lib" | awk 'NF == 3 && $2 ~ /^[dDbBC]$/ { print $3 }')
if [ -n "$data" ]; then
    echo "$lib: writable static data:" $data
    status=1
fi
[ $status = 0 ] && echo "symbols: ok"
exit $status
