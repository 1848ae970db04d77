#!/bin/sh
# Tests of the command ecp. usage: run.sh PATH_OF_ECP PATH_OF_CSV_CHECK
# Every refusal is one line of the table below: a scenario is made from a good one by a sed script,
# and the error must stand on the expected line of the file, with exit status 2.
set -u
bin=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
csv_check=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
here=$(cd "$(dirname "$0")" && pwd)
scenarios=$here/../../tools/scenarios
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
tests=0
failures=0

check() { # NAME STATUS: one test, passed if STATUS is 0
    tests=$((tests + 1))
    if [ "$2" -ne 0 ]; then
        failures=$((failures + 1))
        echo "FAIL: $1"
        [ -s err ] && sed 's/^/    stderr: /' err | head -n 3
    fi
}

run() { # ARGS: run the command; output in files out and err, exit status in $code
    "$bin" "$@" > out 2> err
    code=$?
}

cat > good.toml <<'EOF'
title = "good"
h = 0.01
duration = 0.1
gravity = [0, 0, -9.8]

[[body]]
name = "floor"
kind = "fixed"
shape = "halfspace"
normal = [0, 0, 1]

[[body]]
name = "cube"
kind = "dynamic"
shape = "box"
size = [1, 1, 1]
mass = 1.0
inertia = [0.2, 0.2, 0.2]
position = [0, 0, 0.5]
orientation = [1, 0, 0, 0]
velocity = [1, 0, 0]
lock = []

[[contact]]
bodies = ["cube", "floor"]
model = "ecp"
mu = 0.1
e = [1, 1, 1]

[[wrench]]
body = "cube"
from = 0.0
to = 0.05
force = [1, 0, 0]

[[impulse]]
body = "cube"
at = 0.02
force = [0, 0.1, 0]
EOF

refused() { # LINE SED_SCRIPT WORD: the edited file is refused on that line, the text has the word
    sed "$2" good.toml > bad.toml
    run check bad.toml
    grep -q "^bad\.toml:$1: .*; expected " err && grep -q -e "$3" err && [ "$code" -eq 2 ] &&
        [ ! -s out ] && quoted
    check "line $1 refused after: $2" $?
}

quoted() { # the error is one line, or that and a quote with a caret under a character of it
    awk 'NR == 2 { quote = $0; bad = $0 !~ /^ *[0-9]+ \| / }
         NR == 3 { bad = bad || $0 !~ /^ *\|[ \t]+\^+$/ || index($0, "^") > length(quote) + 1 }
         END { exit !(NR == 1 || (NR == 3 && !bad)) }' err
}

# --- refusals: line, edit, a word of the message
while IFS='|' read -r line edit word; do
    [ -n "$line" ] && refused "$line" "$edit" "$word"
done <<'EOF'
2|2s/0.01/nan/|nan
2|2s/0.01/-inf/|inf
2|2s/0.01/1e999/|too large
2|2s/0.01/0/|more than 0
2|2s/0.01/-0.01/|more than 0
2|2s/0.01/"a"/|wrong type
2|2s/0.01/true/|wrong type
2|2s/0.01/1./|not a value
2|2s/0.01/.5/|not a value
2|2s/0.01/0x10/|not a value
2|2s/0.01/1 2/|end of the line
2|2s/0.01//|missing
2|2s/h = /h.x = /|dotted
2|2s/=//|followed by
1|2d|'h' is missing
1|3d|'duration' is missing
1|4d|'gravity' is missing
1|1s/"$//|does not end
1|1s/good/\\q/|escape
3|3s/0.1/-1/|duration
3|3s/0.1/1e12/|steps
4|4s/-9.8/nan/|nan
4|4s/, -9.8//|3 numbers
4|4s/-9.8\]/-9.8/|array
4|4s/-9.8/"a"/|mixes
4|4s/-9.8/[1]/|within an array
5|5s/.*/tolerance = 0.5/|tolerance
5|5s/.*/recovery_speed = -1/|recovery_speed
5|5s/.*/colour = 1/|unknown key
5|5s/.*/h = 0.01/|repeated
5|5s/.*/[body]/|single
5|5s/.*/[[thing]]/|unknown table
5|5s/.*/[[link]]/|not supported yet
5|5s/.*/[[piece]]/|not supported yet
5|5s/.*/[[motor]]/|not supported yet
5|5s/.*/[[joint]]/|not supported yet
5|5s/.*/@/|unexpected
6|7d|'name' is missing
6|8d|'kind' is missing
6|9d|'shape' is missing
6|10d|'normal' is missing
7|7s/floor/2floor/|no name
7|7s/floor/c12/|no name
7|7s/"floor"/""/|no name
8|8s/fixed/frozen/|unknown kind
9|9s/halfspace/blob/|unknown shape
9|9s/halfspace/pieces/|not supported yet
10|10s/0, 0, 1/0, 0, 0/|no length
11|11s/.*/mass = 1/|not dynamic
11|11s/.*/velocity = [1, 0, 0]/|fixed
11|11s/.*/radius = 1/|does not belong
13|13s/cube/floor/|taken
12|16d|'size' is missing
12|17d|'mass' is missing
16|16s/1, 1, 1/1, 0, 1/|more than 0
16|16s/size = .*/size = 1/|3 numbers
17|17s/1.0/0/|more than 0
17|17s/1.0/-1/|more than 0
18|18s/0.2, 0.2, 0.2/0.2, 0.2/|3 or 6
18|18s/0.2, 0.2, 0.2/0.2, 0.2, -1/|more than 0
18|18s/0.2, 0.2, 0.2/0.2, 0.2, 9/|ECP_E_MASS
20|20s/1, 0, 0, 0/1, 1, 0, 0/|quaternion
20|20s/1, 0, 0, 0/1, 0, 0/|4 numbers
21|21s/1, 0, 0/1, 0, inf/|inf
22|22s/\[\]/["q"]/|locked
22|22s/\[\]/[1]/|strings
24|25d|'bodies' is missing
24|27d|'mu' is missing
24|28d|'e' is missing
25|25s/"floor"/"flor"/|unknown body
25|25s/"floor"/"cube"/|itself
25|25s/, "floor"//|2 names
25|14s/dynamic/kinematic/;29,39d|dynamic
26|26s/ecp/glue/|unknown model
26|26s/ecp/lcp/|not supported yet
26|26s/ecp/no_slip/|not supported yet
26|26s/ecp/viscous/|not supported yet
27|27s/0.1/-0.1/|mu
28|28s/1, 1, 1/0, 1, 1/|e_t
28|28s/1, 1, 1/1, 1, -1/|e_r
29|29s/.*/viscosity = [1, 1, 1]/|does not belong
29|29s/.*/restitution = 0.5/|restitution
30|31d|'body' is missing
30|32d|'from' is missing
30|33d|'to' is missing
31|31s/cube/cub/|unknown body
31|31s/cube/floor/|not dynamic
33|33s/0.05/-1/|before
34|34s/force/farce/|unknown key
36|38d|exactly one
37|37s/cube/floor/|not dynamic
38|38s/0.02/-1/|0 or more
38|38s/.*/trigger = "wq <= 0"/|trigger
38|38s/.*/trigger = "wz < 0"/|trigger
38|38s/.*/trigger = "wz <= nan"/|trigger
39|39s/.*/trigger = "wz <= 0"/|exactly one
EOF

same_pair='[[contact]]
bodies = ["floor", "cube"]
mu = 0.1
e = [1, 1, 1]'
{ cat good.toml; echo "$same_pair"; } > pair.toml
run check pair.toml
grep -q '^pair\.toml:41: .*same pair' err && [ "$code" -eq 2 ]
check "the same pair twice is refused" $?

two_bodies() { # SHAPE...: a second body b and its contact with the cube
    sed '24,39d' good.toml
    printf '[[body]]\nname = "b"\nkind = "dynamic"\nmass = 1\nposition = [0, 0, 9]\n'
    printf '%s\n' "$@" '[[contact]]' 'bodies = ["cube", "b"]' 'mu = 0' 'e = [1, 1, 1]'
}
two_bodies 'shape = "sphere"' 'radius = 1' > two.toml
run check two.toml
[ "$code" -eq 0 ] || grep -q 'ECP_MAX_\|ECP_WITH_' err
check "a contact of a box and a sphere is accepted" $?
two_bodies 'shape = "sphere"' 'radius = 1' | sed 's/"box"/"cylinder"/; s/^size = .*/radius = 1\nlength = 1/' > curved.toml
run check curved.toml
grep -q '^curved\.toml:[0-9]*: .*not supported yet' err && [ "$code" -eq 2 ]
check "a contact of two curved bodies that are not spheres is refused for now" $?

shape() { # NAME LINE WORD LINES: replace shape and size of the cube (lines 15, 16) by LINES
    { sed -n '1,14p' good.toml; printf '%b\n' "$4"; sed -n '17,$p' good.toml; } > shape.toml
    run check shape.toml
    if [ "$2" -eq 0 ]; then
        [ "$code" -eq 0 ] && grep -q '^shape\.toml: ok, ' out
    else
        [ "$code" -eq 2 ] && grep -q "^shape\.toml:$2: .*$3" err
    fi
    check "shape: $1" $?
}
cube='0.5,0.5,0.5, 0.5,0.5,-0.5, 0.5,-0.5,0.5, 0.5,-0.5,-0.5,\n -0.5,0.5,0.5, -0.5,0.5,-0.5, -0.5,-0.5,0.5, -0.5,-0.5,-0.5'
sides='1,0,0,0.5, -1,0,0,0.5, 0,2,0,1, 0,-1,0,0.5, 0,0,1,0.5'
shape sphere 0 '' 'shape = "sphere"\nradius = 0.5'
shape ellipsoid 0 '' 'shape = "ellipsoid"\nradii = [0.5, 0.4, 0.5]'
shape cylinder 0 '' 'shape = "cylinder"\nradius = 0.5\nlength = 1'
shape cone 0 '' 'shape = "cone"\nradius = 0.5\nheight = 2'
shape hull 0 '' "shape = \"hull\"\npoints = [$cube]"
shape "hull with points inside and twice" 0 '' "shape = \"hull\"\npoints = [0,0,0, 0.5,0.5,0.5, 0.5,0.5,0, $cube]"
shape facets 0 '' "shape = \"facets\"\nplanes = [$sides, 0,0,-1,0.5, 1,1,1,9]"
shape "unbounded facets" 16 bounded "shape = \"facets\"\nplanes = [$sides]"
shape "origin outside" 16 inside "shape = \"facets\"\nplanes = [$sides, 0,0,-1,-0.1]"
shape "flat hull" 16 plane 'shape = "hull"\npoints = [0,0,0, 1,0,0, 0,1,0, 1,1,0]'
shape "hull off the origin" 16 inside 'shape = "hull"\npoints = [1,1,1, 2,1,1, 1,2,1, 1,1,2]'
shape "points not in threes" 16 'x,y,z' 'shape = "hull"\npoints = [1,1,1, 2]'
shape "halfspace that is dynamic" 15 dynamic 'shape = "halfspace"\nnormal = [0,0,1]'
shape "key of another shape" 17 'does not belong' 'shape = "sphere"\nradius = 1\nlength = 1'

sed '18d;s/^shape = "box"/shape = "hull"/;s/^size.*/points = [-1,-1,-1, 4,-1,-1, -1,4,-1, -1,-1,4]/' good.toml > centroid.toml
run check centroid.toml
grep -q '^centroid\.toml:12: .*inertia' err && [ "$code" -eq 2 ]
check "uniform density needs the centroid in the origin" $?

# --- files that are no scenario
: > empty.toml
printf '\177ELF\001\002\000\000' > binary.toml
printf 'h = 0.01\n# \377\376\n' > latin.toml
mkdir -p folder.toml
for file in empty binary latin folder missing; do
    run check $file.toml
    grep -q "^$file\.toml:1: .*; expected " err && [ "$code" -eq 2 ]
    check "$file.toml is refused on line 1" $?
done
tr '\n' '@' < good.toml | sed 's/@/\r@/g' | tr '@' '\n' > crlf.toml
run check crlf.toml
check "CRLF line ends are accepted" "$code"

# a file cut anywhere is refused or accepted, never worse
size=$(wc -c < good.toml)
worst=0
at=0
while [ "$at" -lt "$size" ]; do
    head -c "$at" good.toml > cut.toml
    run check cut.toml
    if [ "$code" -gt 2 ] || [ "$code" -eq 1 ]; then
        worst=1
    fi
    at=$((at + 7))
done
check "cut files end with status 0 or 2" $worst

# --- good runs
run check good.toml
[ "$code" -eq 0 ] && grep -q '^good\.toml: ok, 2 bodies, 1 contacts, 10 steps' out
check "check says ok" $?

run run good.toml --csv out.csv
[ "$code" -eq 0 ] && [ -s out ] && [ ! -s err ] && [ "$(wc -l < out.csv)" -eq 12 ]
check "run writes a header, the initial state and every step" $?

head='t,status,iterations,residual,gap_min,energy'
for column in px py pz qw qx qy qz vx vy vz wx wy wz; do head="$head,cube.$column"; done
for column in mode patch ax ay az nx ny nz tx ty tz gap pn pt po pr sigma edge reserve; do
    head="$head,c0.$column"
done
[ "$(head -n 1 out.csv)" = "$head" ]
check "the header has the columns of the contract" $?

# row 0: zeros where nothing has happened yet, the pose and the gap of the start
sed -n 2p out.csv | awk -F, '{ z = $1 + $2 + $3 + $4 + $20 + $21
    for (i = 32; i <= 38; i++) z += ($i != 0)
    exit !(NF == 38 && z == 0 && $9 == 0.5 && $10 == 1 && $14 == 1 && $27 == 1 && $28 == 1 &&
           $31 < 1e-6 && $31 > -1e-6 && $6 > 5.39 && $6 < 5.41) }'
check "row 0 describes the initial pose" $?
! grep -qi -e nan -e inf out.csv
check "no field is nan or inf" $?
awk -F, 'NR == 12 { exit !($1 > 0.0999 && $1 < 0.1001) }' out.csv
check "the last row is at the end of the run" $?

run run good.toml --csv -
cmp -s out out.csv && [ ! -s err ]
check "--csv - puts the CSV alone on stdout" $?
run run good.toml --quiet
[ "$code" -eq 0 ] && [ ! -s out ] && [ ! -s err ]
check "--quiet prints nothing" $?
run run good.toml --steps 3 --csv -
[ "$(wc -l < out)" -eq 5 ]
check "--steps limits the run" $?
run run good.toml --steps 0 --hash --quiet
[ "$(cat out)" = "hash: cbf29ce484222325" ]
check "the hash of nothing is the offset basis of FNV-1a" $?
run run good.toml --hash --quiet
first=$(cat out)
run run good.toml --hash --csv -
[ "$(cat err)" = "$first" ] && echo "$first" | grep -q '^hash: [0-9a-f]\{16\}$' && cmp -s out out.csv
check "the hash is the same every time, and on stderr beside a CSV" $?
run run good.toml --json
[ "$code" -eq 0 ] && grep -q '^{"title": "good",.*"steps": 10,.*}$' out
check "--json prints one object" $?

run run good.toml --compare out.csv
[ "$code" -eq 0 ] && grep -q 'pose *0$' out
check "--compare with itself holds" $?
sed 's/^0.1,/0.2,/;s/^0.10*[0-9]*,/0.2,/' out.csv > other.csv
run run good.toml --compare other.csv
[ "$code" -eq 1 ]
check "--compare with another trajectory fails with 1" $?
echo 'a,b' > other.csv
echo '1,x' >> other.csv
run run good.toml --compare other.csv
[ "$code" -eq 2 ] && grep -q '^other\.csv:2: ' err
check "--compare refuses a bad CSV with its line" $?

# another trajectory needs only t and the columns it has; rows are matched by time
cut -d, -f1,7 out.csv | sed -n '1p;2p;5p;12p' > other.csv
run run good.toml --compare other.csv --tolerance 1e-3
[ "$code" -eq 0 ] && grep -q '1 common columns, 11 rows, 8 of them interpolated' out
check "--compare matches rows by time and interpolates" $?
# -q is the orientation q
awk -F, 'BEGIN { OFS = "," } NR > 1 { for (i = 10; i <= 13; i++) $i = -$i } { print }' out.csv > other.csv
run run good.toml --compare other.csv
check "--compare takes q and -q for one orientation" "$code"
head -n 6 out.csv > other.csv
run run good.toml --compare other.csv
[ "$code" -eq 1 ] && grep -q '^other\.csv:1: 6 rows .*; expected all' err
check "--compare with half a trajectory fails with 1" $?
sed '1s/^t,/time,/' out.csv > other.csv
run run good.toml --compare other.csv
[ "$code" -eq 2 ] && grep -q '^other\.csv:1: .*named t; expected' err
check "--compare needs a column t" $?
sed '1s/cube/box/g;1s/c0/k/g;1s/energy/E/;1s/gap_min/g/;1s/status/s/;1s/iterations/i/;1s/residual/r/' out.csv > other.csv
run run good.toml --compare other.csv
[ "$code" -eq 2 ] && grep -q '^other\.csv:1: no column .*cube.px' err
check "--compare needs a column of the run" $?
run run good.toml --compare out.csv --json
[ "$code" -eq 0 ] && [ "$(wc -l < out)" -eq 1 ] && grep -q '"compare": {.*"holds": true.*}}$' out
check "--json with --compare is one object" $?

# --- the report
run run good.toml --report page.html --quiet
[ "$code" -eq 0 ] && [ ! -s out ] && [ ! -s err ] && grep -q '</html>' page.html && ! grep -q '@@' page.html
check "--report writes a page" $?
! grep -q -e 'src=' -e 'href="http' -e '@import' page.html
check "the page loads nothing" $?
sed '1s/good/<script>\&/' good.toml > title.toml
run run title.toml --report page.html --quiet
[ "$code" -eq 0 ] && [ "$(grep -c '<script>' page.html)" -eq 1 ] && grep -q '<h1>&lt;script&gt;&amp;</h1>' page.html
check "a title with HTML in it stays text" $?
run run good.toml --report no/such/page.html
[ "$code" -eq 2 ] && grep -q 'expected a place for the report' err
check "a report that cannot be opened is refused" $?
run run "$scenarios/cylinder_roll.toml" --report page.html --quiet
[ "$code" -eq 0 ] && [ "$(wc -c < page.html)" -lt 3000000 ]
check "a page of 1000 steps is smaller than 3 MB" $?
# as many bodies as the profile takes, all of them spinning
{ printf 'h = 0.01\nduration = 10\ngravity = [0, 0, -9.8]\n'
  i=1
  while [ "$i" -le 12 ]; do
      printf '[[body]]\nname = "b%d"\nkind = "dynamic"\nshape = "ellipsoid"\nradii = [1, 2, 3]\nmass = 1\n' "$i"
      printf 'position = [%d, 0, 9]\nvelocity = [1, 2, 3]\nangular_velocity = [1, 0.3, 0.1]\n' "$((9 * i))"
      i=$((i + 1))
  done; } > crowd.toml
run run crowd.toml --report page.html --quiet
[ "$code" -eq 2 ] || [ "$(wc -c < page.html)" -lt 3000000 ]
check "a page of twelve bodies and 1000 steps is smaller than 3 MB" $?
run run good.toml --report page.html --steps 0 --quiet
check "a report of no steps" "$code"

# --- progress: on a terminal only
if command -v script > /dev/null; then
    sed '3s/0.1/1000/;33s/0.05/1000/' good.toml > long.toml
    script -qec "'$bin' run long.toml" terminal.txt > /dev/null 2>&1 < /dev/null
    grep -q ' %  step [0-9]* of 100000  [0-9.e+]* steps/s  [0-9]*:[0-9][0-9] left' terminal.txt
    check "a long run on a terminal shows rate and remaining time" $?
    run run long.toml
    [ "$code" -eq 0 ] && [ ! -s err ]
    check "no progress where stderr is no terminal" $?
fi

# a kick far too fast for the step: the run ends with 1, the rows before it are there
sed '37,39d' good.toml > fast.toml
printf 'body = "cube"\nat = 0.05\ntorque = [1e9, 0, 0]\n' >> fast.toml
run run fast.toml --csv fast.csv --quiet
[ "$code" -eq 1 ] && grep -q 'step 5 .*ECP_E_' err && [ "$(wc -l < fast.csv)" -eq 7 ]
check "a refused step ends the run with 1, after the rows before it" $?

for file in "$scenarios"/*.toml; do
    run check "$file"
    # a small profile may have too few contacts for a scenario; it must then name the limit
    [ "$code" -eq 0 ] || grep -q 'ECP_MAX_\|ECP_WITH_' err
    check "$(basename "$file") is a good scenario" $?
done
run run "$scenarios/sphere_spin.toml" --csv spin.csv
[ "$code" -eq 0 ] && awk -F, 'NR == 16 { w = $19 } END { exit !(NR == 22 && w < 0.04 && w > -0.04) }' spin.csv
check "the spinning sphere comes to rest" $?

# --- every trajectory obeys the model, judged from its columns by a program of its own
bits=$("$bin" --version | sed 's/.*, \(..\)-bit.*/\1/')
for file in "$scenarios"/*.toml "$here"/scenes/*.toml; do
    name=$(basename "$file" .toml)
    run run "$file" --csv "$name.csv" --quiet --hash
    if [ "$code" -eq 2 ] && grep -q 'ECP_MAX_\|ECP_WITH_' err; then
        continue
    fi
    "$csv_check" "$file" "$name.csv" "$bits" > err
    check "$name obeys Newton-Euler, contact and friction" $?
    [ "$(tail -n 1 err)" = "$(cat out)" ]
    check "$name: --hash is the hash of the states in the CSV" $?
done
spoil() { # COLUMN ROW OFFSET: the check must see a wrong number
    awk -F, -v OFS=, -v name="$1" -v row="$2" -v d="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR == row + 2 { $c += d } { print }' plane_first.csv > spoilt.csv
    ! "$csv_check" "$here/scenes/plane_first.toml" spoilt.csv "$bits" > err
    check "csv_check sees $1 off by $3 in row $2" $?
}
for column in t energy gap_min cube.px cube.qx cube.vy cube.wz c0.ax c0.az c0.nx c0.ty c0.gap c0.pn c0.pt c0.po c0.pr \
    c0.sigma c0.edge c0.reserve c0.patch c0.mode; do
    spoil $column 295 0.1
    spoil $column 40 1
done

. "$here/contract.sh"

# --- usage
run --help
[ "$code" -eq 0 ] && grep -q 'run FILE' out && grep -q 'demo DIR' out
check "--help lists the commands" $?
run --version
[ "$code" -eq 0 ] && grep -q '^ecp [0-9]*\.[0-9]*\.[0-9]*' out
check "--version prints the version" $?
run bench --json --repeats 1
[ "$code" -eq 0 ] && [ "$(grep -c '"scene": "[a-z_0-9]*".*"us_per_step_min": [0-9.e+-]*, "us_per_step_median": [0-9.e+-]*, "iterations_median": [0-9]*, .*"iterations_max": [0-9]*' out)" -eq "$(wc -l < out)" ] &&
    grep -q '"cube_slide"' out
check "bench --json prints one object a scene" $?
run bench --repeats 1 good.toml
[ "$code" -eq 0 ] && grep -q '^good.toml ' out
check "bench takes files" $?
for words in '' 'fly' 'run' 'run a b' 'run good.toml --csv' 'run good.toml --fast' 'check' 'init' 'demo' \
    'demo . ' 'run good.toml --steps x' 'run good.toml --steps -1' 'run good.toml --report' 'run good.toml --report -' 'gen' 'gen good.toml' 'gen good.toml -o' 'gen good.toml -o x.c --name a-b' 'gen -o x.c' 'bench --repeats 0' 'bench --fast' 'bench missing.toml' 'soak --trials 0' 'soak --seed' 'soak --bodies 9' 'soak x' 'hil'; do
    # shellcheck disable=SC2086
    run $words
    [ "$code" -eq 2 ] && [ -s err ] && [ ! -s out ]
    check "bad usage: ecp $words" $?
done
run run good.toml --csv no/such/folder.csv
[ "$code" -eq 2 ] && [ -s err ]
check "an output that cannot be opened is refused" $?

run gen good.toml -o good.c
[ "$code" -eq 0 ] && [ ! -s out ] && grep -q '^const scene_data scene_good = {' good.c &&
    grep -q '\.first = 0u, \.end = 5u' good.c && grep -q '\.step = 2u' good.c && grep -q ': 0,$' good.c
check "gen writes the scenario as data, times as step numbers" $?
run gen good.toml -o - --hash
run run good.toml --hash --quiet
hash=$(sed 's/hash: //' out)
run gen good.toml -o - --hash --name other
[ "$code" -eq 0 ] && grep -q "UINT64_C(0x$hash)" out && grep -q 'scene_other = {' out
check "gen --hash adds the hash of the run" $?
echo "h = x" > bad.toml
run gen bad.toml -o bad.c
[ "$code" -eq 2 ] && grep -q '^bad\.toml:[0-9]*: ' err && [ ! -e bad.c ]
check "gen refuses a bad scenario and writes nothing" $?
run gen fast.toml -o fast.c --hash
[ "$code" -eq 1 ] && [ -s err ] && [ ! -e fast.c ]
check "gen --hash of a run that is refused writes nothing" $?

run init fresh
[ "$code" -eq 0 ] && [ -s fresh.toml ]
check "init writes a file" $?
run run fresh.toml
check "the template runs" "$code"
cp fresh.toml before.toml
run init fresh
[ "$code" -eq 2 ] && cmp -s before.toml fresh.toml
check "init does not overwrite" $?

mkdir demo && cp good.toml fresh.toml demo/
run demo demo --out made/here
[ "$code" -eq 0 ] && [ -s made/here/good.csv ] && [ -s made/here/fresh.csv ] && grep -q '^good ' out
check "demo runs a folder" $?
[ "$(tail -n 1 out)" = "pages: made/here/index.html" ] && [ -s made/here/good.html ] &&
    [ "$(grep -c 'class="card"' made/here/index.html)" -eq 2 ] && grep -q 'href="fresh.html"' made/here/index.html
check "demo leaves a page with a card per scenario and says where" $?
cp fast.toml demo/
run demo demo --out made
[ "$code" -eq 1 ] && grep -q '^good ' out
check "demo ends with 1 when a run failed" $?

echo "$tests Tests $failures Failures 0 Ignored"
[ "$failures" -eq 0 ]
