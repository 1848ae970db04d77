# Sourced by the checks of packages: what they share.
passed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# the hash of cube_slide that the command reaches
hash_of() { "$1" run tools/scenarios/cube_slide.toml --hash --quiet | sed -n 's/^hash: //p'; }

# same NAME EXPECTED OUTPUT: the line "hash: ..." of an output is the expected one
same() {
    got=$(printf '%s\n' "$3" | sed -n 's/^hash: *//p' | tr -d '\r' | tr A-F a-f)
    if [ -z "$2" ] || [ "$got" != "$2" ]; then
        echo "FAIL $1: hash '$got'; expected '$2'"
        exit 1
    fi
    passed=$((passed + 1))
    echo "ok   $1: hash $got"
}

# the program of the README
readme_example() { awk '/^```c$/{on = 1; next} /^```$/{on = 0} on' README.md; }

# true, or a line that says what is left out
have() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "left out, no $tool here"; return 1; }
    done
}
