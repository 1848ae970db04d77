#!/bin/sh
# run.sh BUILD PROGRAM...: every example runs, says something, holds what it claims (its exit status), is
# short, and uses the public header only.
build=$1
shift
tests=0
failures=0
fail() {
    failures=$((failures + 1))
    echo "examples: $1: FAIL: $2"
}
for program in "$@"; do
    name=$(basename "$program")
    source=tools/examples/$name.c
    [ -f "$source" ] || source=$build/examples/$name.c
    tests=$((tests + 1))
    if ! output=$("$program" 2>&1); then
        fail "$name" "it did not hold: $output"
    elif [ -z "$output" ]; then
        fail "$name" "it says nothing"
    elif [ "$(wc -l < "$source")" -ge 80 ]; then
        fail "$name" "80 lines or more"
    elif grep '#include "' "$source" | grep -qvE '"(ecp|ecp_port)\.h"'; then
        fail "$name" "it includes a private header"
    else
        echo "examples: $name: PASS"
        printf '%s\n' "$output" | sed 's/^/    /'
    fi
done
printf '\n%d Tests %d Failures 0 Ignored \n' "$tests" "$failures"
[ "$failures" = 0 ] && [ "$tests" -gt 0 ]
