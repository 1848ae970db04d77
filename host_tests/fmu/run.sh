#!/bin/sh
# run.sh ECP CHECK_FMU: functional mock-up units of scenarios reach the hash of `ecp run`.
ecp=$1 check=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tests=0
failures=0
bits=$("$ecp" --version | sed 's/.*, \([0-9]*\)-bit.*/\1/')

# expect NAME SCENARIO-OF-THE-HASH FMU ARGUMENT...
expect() {
    name=$1 scenario=$2 fmu=$3
    shift 3
    tests=$((tests + 1))
    wanted=$("$ecp" run "$scenario" --hash --quiet --csv "$tmp/run.csv")
    mkdir "$tmp/$tests"
    got=$("$check" "$fmu" "$tmp/$tests" --bits "$bits" --csv "$tmp/run.csv" "$@" 2>&1)
    if [ -n "$wanted" ] && [ "$(printf '%s\n' "$got" | grep '^hash: ')" = "$wanted" ]; then
        echo "ok $name, $wanted"
    else
        echo "FAIL $name: $got; expected $wanted"
        failures=$((failures + 1))
    fi
}
gen() { "$ecp" gen "$@" 2>"$tmp/gen.err" || { cat "$tmp/gen.err"; failures=$((failures + 1)); }; }

dir=tools/scenarios
gen $dir/cube_slide.toml --fmu "$tmp/cube_slide.fmu" --no-binary
expect "FMI 3.0 from its sources, cube_slide" $dir/cube_slide.toml "$tmp/cube_slide.fmu"
gen $dir/desk.toml --fmu "$tmp/desk.fmu" --fmi 2 --no-binary
expect "FMI 2.0 from its sources, desk" $dir/desk.toml "$tmp/desk.fmu"

# an input that is a constant force is that force of a file
awk '/^\[\[contact/ && !done {print "[[wrench]]\nbody = \"cube\"\nfrom = 0.0\nto = 4.0\nforce = [-0.75, 0.5, 0]\ntorque = [0, 0, 0.125]\n"; done = 1} 1' \
    $dir/cube_slide.toml > "$tmp/pushed.toml"
expect "FMI 3.0, inputs as loads of a file" "$tmp/pushed.toml" "$tmp/cube_slide.fmu" --input cube.fx=-0.75 \
    --input cube.fy=0.5 --input cube.tz=0.125

# the binary, where this machine has a name in the standard
case $(uname -sm) in
"Linux x86_64")
    gen $dir/moving_ramp.toml --fmu "$tmp/moving_ramp.fmu" --fmi 2
    expect "FMI 2.0 from its binary, moving_ramp" $dir/moving_ramp.toml "$tmp/moving_ramp.fmu" --binary
    gen $dir/corner.toml --fmu "$tmp/corner.fmu"
    expect "FMI 3.0 from its binary, corner" $dir/corner.toml "$tmp/corner.fmu" --binary
    ;;
esac

# without a compiler: the sources alone, a line that says so, exit status 0; the same bytes every time
tests=$((tests + 1))
if CC=/nonexistent/cc "$ecp" gen $dir/cube_slide.toml --fmu "$tmp/again.fmu" 2>"$tmp/err" &&
    grep -q 'no binary' "$tmp/err" && cmp -s "$tmp/again.fmu" "$tmp/cube_slide.fmu"; then
    echo "ok no compiler, the same archive"
else
    echo "FAIL no compiler: $(cat "$tmp/err")"
    failures=$((failures + 1))
fi

# a changed byte is noticed by the reader
tests=$((tests + 1))
mkdir "$tmp/changed"
{ head -c 5000 "$tmp/cube_slide.fmu"; printf '~'; tail -c +5002 "$tmp/cube_slide.fmu"; } > "$tmp/changed.fmu"
if "$check" "$tmp/changed.fmu" "$tmp/changed" >/dev/null 2>&1; then
    echo "FAIL a changed byte went unnoticed"
    failures=$((failures + 1))
else
    echo "ok a changed byte is noticed"
fi

for words in "--fmi 4 --fmu $tmp/x.fmu" "--fmu" "--fmu $tmp/x.fmu --name 1x"; do
    tests=$((tests + 1))
    "$ecp" gen $dir/cube_slide.toml $words 2>/dev/null
    [ $? = 2 ] || { echo "FAIL gen $words: expected exit status 2"; failures=$((failures + 1)); }
done
echo "fmu: $((tests - failures)) passed, $failures failed"
[ $failures = 0 ]
