# Read by run.sh: what scenario files, loads and CSV mean, sentence by sentence.

# --- texts that are good: LABEL, then the file on stdin
accepted() {
    cat > accepted.toml
    run check accepted.toml
    [ "$code" -eq 0 ] && [ -s out ] && [ ! -s err ]
    check "accepted: $1" $?
}
edited() { # LABEL SED_SCRIPT: the good scenario, edited, is still good
    sed "$2" good.toml | accepted "$1"
}
edited "whole numbers as reals" 's/0\.01/1/;s/duration = 0.1/duration = 10/;s/1\.0/1/'
edited "signs, underscores and exponents" '2s/0.01/+1_0.0e-3/;17s/1.0/1_000E-3/'
edited "blanks and tabs anywhere" 's/ = /\t=  /;s/^[a-z]/  &/;s/\[\[/[[ /;s/$/ \t/'
edited "comments behind everything" 's/$/ # "x" [[y]]/'
edited "an array over several lines with comments and a last comma" '4s/.*/gravity = [ # x\n\n 0, # y\n 0\n,\n -9.8, # z\n]/'
edited "strings in single quote marks" "s/\"/'/g"
edited "# and ] within a string" '1s/good/a # b ] c = [/'
edited "escapes" '1s/good/\\t\\"\\u00e9\\U0001F600/'
edited "a table header with blanks and a comment" 's/^\[\[body\]\]/  [[ body ]]  # y/'
edited "friction 0 and no torsional friction" '27s/0.1/0/;28s/1, 1, 1/1, 1, 0/'
edited "the least tolerance" '5s/.*/tolerance = 1e-12/'
edited "the largest tolerance" '5s/.*/tolerance = 0.01/'
edited "no recovery" '5s/.*/recovery_speed = 0/'
edited "an axis along the normal" '29s/.*/axis = [0, 0, 1]/'
edited "a quaternion off unit length by less than 1e-3" '20s/1, 0/1.0009, 0/'
edited "six numbers of inertia" '18s/0.2, 0.2, 0.2/0.2, 0.2, 0.2, 0.01, 0.02, -0.03/'
edited "the inertia of a flat body" '18s/0.2, 0.2, 0.2/0.1, 0.2, 0.3/'
edited "restitution 0" '29s/.*/restitution = 0/'
edited "a velocity of zero on a fixed body" '11s/.*/velocity = [0, 0, 0]/'
edited "mass, however bad, and inertia are ignored on a kinematic body" \
    '8s/fixed/kinematic/;11s/.*/mass = -1\ninertia = [1, 1, 9]/'
edited "a run of no steps" '3s/0.1/0/'
for name in c cc c1x _ C0 a1 very_long_name_of_a_body_that_goes_on_and_on_for_quite_a_while_0123456789; do
    edited "the name $name" "s/\"cube\"/\"$name\"/g"
done
{ printf '\357\273\277'; cat good.toml; } | accepted "a byte order mark"
{ sed 1d good.toml; } | accepted "no title"
awk '{ printf "%s", $0 } NR == 1 { printf " #"; for (i = 0; i < 300000; i++) printf "x" } { print "" }' good.toml |
    accepted "a line of 300,000 characters"
tr -d '\n' < /dev/null | cat - good.toml | awk '{ printf "%s%s", (NR > 1 ? "\n" : ""), $0 }' | accepted "no line end at the end"
{ sed -n '24,39p' good.toml; sed -n '12,22p' good.toml; } > tail.part
{ sed -n '1,5p' good.toml; cat tail.part; sed -n '6,10p' good.toml; } | accepted "tables in any order"

# --- refusals that the table of run.sh cannot state with one edit: the caret is under the cause
points_at() { # LINE:COLUMN WORD SED_SCRIPT
    sed "$3" good.toml > bad.toml
    run check bad.toml
    awk -v at="${1#*:}" -v word="$2" -v line="${1%:*}" '
        NR == 1 { ok = index($0, "bad.toml:" line ": ") == 1 && index($0, word) }
        NR == 3 { ok = ok && index($0, "^") == 8 + at }
        END { exit !(ok && NR == 3) }' err && [ "$code" -eq 2 ]
    check "caret at $1 and '$2' after: $3" $?
}
points_at 21:1 "did you mean 'velocity'?" '21s/velocity/velocty/'
points_at 21:1 "did you mean 'velocity'?" '21s/velocity/Velocity/'
points_at 18:1 "did you mean 'inertia'?" '18s/inertia/intertia/'
points_at 5:1 "did you mean 'tolerance'?" '5s/.*/tolerence = 1e-9/'
points_at 27:1 "expected a key of [[contact]], 'mass' belongs to [[body]]" '27s/mu/mass/'
points_at 33:1 "belongs before the first [[table]]" '33s/to = /duration = /'
points_at 8:8 "did you mean 'fixed'?" '8s/fixed/fxied/'
points_at 15:9 "did you mean 'box'?" '15s/box/bax/'
points_at 25:19 "did you mean 'floor'?" '25s/floor/flor/'
points_at 26:9 "did you mean 'no_slip'?" '26s/ecp/noslip/'
points_at 24:1 "did you mean 'contact'?" '24s/contact/contcat/'
points_at 4:18 "nan is not accepted" '4s/-9.8/nan/'
points_at 16:12 "more than 0" '16s/1, 1, 1/1, -1, 1/'
points_at 22:14 "'q' cannot be locked" '22s/\[\]/["x", "q"]/'
points_at 28:12 "e_r >= 0" '28s/1, 1, 1/1, 1, -1/'
points_at 1:9 "does not end" '1s/"$//'
points_at 4:1 "does not end" '4,$s/\]//'
points_at 17:12 "end of the line" '17s/$/ kg/'
points_at 2:6 "the value is missing" '2s/0.01/ # none/'
awk '{ print } NR == 21 { exit }' good.toml | sed '21s/.*/velocity = [0, 0,\n\n  1e999, 0]/' > bad.toml
run check bad.toml
grep -q '^bad\.toml:21: .*too large' err && grep -q '^   23 |   1e999' err && [ "$code" -eq 2 ]
check "an error within an array carries the line of its key and shows the line of its cause" $?
sed '1s/good/ééé/;1s/$/ x/' good.toml > bad.toml
run check bad.toml
[ "$(sed -n 3p err)" = "      |               ^" ]
check "the caret counts characters, not bytes" $?
awk 'NR == 21 { printf "velocity = [0, 0"; for (i = 0; i < 5000; i++) printf " "; print ", x]"; next } { print }' good.toml > bad.toml
run check bad.toml
[ "$(sed -n 3p err | wc -c)" -lt 100 ] && sed -n 2p err | grep -q ', x]'
check "a long line is shown around the caret" $?

limit() { # NUMBER: a scenario with that many bodies
    sed '24,$d' good.toml
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "[[body]]\nname = \"b%d\"\nkind = \"fixed\"\nshape = \"sphere\"\nradius = 1\n", i }'
}
limit 100 > bad.toml
run check bad.toml
[ "$code" -eq 2 ] && grep -q '^bad\.toml:[0-9]*: too many bodies; expected at most ECP_MAX_BODIES = ' err &&
    [ "$(sed -n "$(sed -n '1s/^bad.toml:\([0-9]*\):.*/\1/p' err)p" bad.toml)" = "[[body]]" ]
check "more bodies than the library holds are refused on the header of the first too many" $?

# --- numbers that are finite but whose squares are not
for edit in '21s/1, 0/1e200, 0/' '19s/0.5/1e300/' '16s/1, 1, 1/1, 1e200, 1/' '16s/1, 1, 1/1e-200, 1, 1/' \
    '17s/1.0/1e308/;18d;21s/1, 0/1e10, 0/'; do
    sed "$edit" good.toml > bad.toml
    run run bad.toml --csv huge.csv --quiet
    [ "$code" -ne 0 ] && grep -q '^bad\.toml:' err && { [ ! -f huge.csv ] || ! grep -qi -e nan -e inf huge.csv; }
    check "numbers that overflow later are refused: $edit" $?
    rm -f huge.csv
done
sed '4s/-9.8/9e307/' good.toml > bad.toml
run run bad.toml --csv huge.csv --quiet
[ "$code" -ne 0 ] && { [ ! -f huge.csv ] || ! grep -qi -e nan -e inf huge.csv; }
check "a run that leaves the range of numbers ends with 1 and no nan or inf" $?

# --- loads: a free body of 2 kg without gravity; its velocity counts the impulse
free_body() { # H STEPS: the tables of the load on stdin
    printf 'h = %s\nduration = 1\ngravity = [0, 0, 0]\n[[body]]\nname = "b"\nkind = "dynamic"\nshape = "sphere"\nradius = 0.5\nmass = 2\n' "$1" > load.toml
    cat >> load.toml
    run run load.toml --steps "$2" --csv load.csv --quiet
}
column() { # NAME ROW: a field of load.csv, row 0 the initial state
    awk -F, -v name="$1" -v row="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 2 { print $c }' load.csv
}
near() { # A B: equal within single precision
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d < 1e-5 && d > -1e-5) }'
}
window() { # FROM TO FIRST END: the wrench acts in the steps FIRST <= k < END of 0.1 s each
    printf '[[wrench]]\nbody = "b"\nfrom = %s\nto = %s\nforce = [20, 0, 0]\n' "$1" "$2" | free_body 0.1 10
    ok=0
    row=1
    while [ "$row" -le 10 ]; do
        n=$row
        [ "$n" -gt "$4" ] && n=$4
        n=$((n - $3))
        [ "$n" -lt 0 ] && n=0
        near "$(column b.vx $row)" "$n" || ok=1
        row=$((row + 1))
    done
    check "a wrench from $1 to $2 acts in the steps $3 to before $4 of 0.1 s" "$ok"
}
window 0 1 0 10
window 0.3 0.7 3 7
window 0.30000005 0.70000005 3 7
window 0.29999995 0.69999995 3 7
window 0.3001 0.7001 4 8
window 0.25 0.65 3 7
window -5 0.2 0 2
window 0.5 0.5 5 5
window 0.9 100 9 10

at() { # TIME STEP: the impulse acts in that step of 0.1 s alone
    printf '[[impulse]]\nbody = "b"\nat = %s\nforce = [0, 4, 0]\n' "$1" | free_body 0.1 10
    near "$(column b.vy "$2")" 0 && near "$(column b.vy $(($2 + 1)))" 2 && near "$(column b.vy 10)" 2
    check "an impulse at $1 acts in step $2" $?
}
at 0 0
at 0.3 3
at 0.349 3
at 0.351 4
at 0.26 3
at 0.75 8

printf '[[wrench]]\nbody = "b"\nfrom = 0\nto = 9\nforce = [1, 0, 0]\n[[wrench]]\nbody = "b"\nfrom = 0\nto = 9\nforce = [3, 0, 0]\n[[impulse]]\nbody = "b"\nat = 0\nforce = [2, 0, 0]\n[[impulse]]\nbody = "b"\nat = 0\nforce = [4, 0, 0]\n' | free_body 0.5 1
near "$(column b.vx 1)" 4
check "wrenches and impulses add up" $?
printf '[[wrench]]\nbody = "b"\nfrom = 0\nto = 9\nforce = [1, 0, 0]\nfrequency = 1.25\nsin_force = [0, 8, 0]\ncos_force = [0, 0, 8]\n' | free_body 0.1 10
# quarter turns every 0.2 s; sines at t = k h, k from 0: 0, s, 1, s, 0, -s, -1, -s, 0
near "$(column b.vx 10)" 0.5 && near "$(column b.vy 2)" 0.28284271 && near "$(column b.vy 3)" 0.68284271 &&
    near "$(column b.vy 8)" 0 && near "$(column b.vz 1)" 0.4 && near "$(column b.vz 2)" 0.68284271 && near "$(column b.vz 8)" 0
check "sine and cosine parts are taken at t = k h" $?
printf '[[impulse]]\nbody = "b"\ntrigger = "vx <= 2.5"\nforce = [2, 0, 0]\n' | free_body 0.1 10
near "$(column b.vx 1)" 1 && near "$(column b.vx 2)" 2 && near "$(column b.vx 3)" 3 && near "$(column b.vx 10)" 3
check "a trigger acts in every step that starts where it holds" $?
printf '[[impulse]]\nbody = "b"\ntrigger = "wz>=0"\nforce = [0, 0, 2]\n' | free_body 0.1 3
near "$(column b.vz 3)" 3
check "a trigger without blanks" $?
[ "$(column gap_min 3)" = 0 ] && [ "$(head -n 1 load.csv)" = "$(head -n 1 out.csv | cut -d, -f 1-19 | sed 's/cube/b/g')" ]
check "without contacts gap_min is 0 and there are no contact columns" $?
near "$(column energy 3)" 9 && [ "$(column status 0)$(column iterations 0)$(column residual 0)" = 000 ]
check "the energy of a free body is m v.v/2" $?

# --- steps, rows, columns
steps() { # H DURATION STEPS
    printf 'h = %s\nduration = %s\ngravity = [0, 0, 0]\n' "$1" "$2" > steps.toml
    run run steps.toml --csv -
    [ "$(wc -l < out)" -eq $(($3 + 2)) ]
    check "a run of $2 s with steps of $1 s has $3" $?
}
steps 0.1 0.3 3
steps 0.1 0.7 7
steps 0.01 0.296 30
steps 0.01 0.294 29
steps 3 10 3
steps 7 3 0
[ "$(head -n 1 out)" = "t,status,iterations,residual,gap_min,energy" ]
check "a scenario without bodies has the first six columns" $?
run run load.toml --steps 25 --csv -
[ "$(wc -l < out)" -eq 27 ] && [ "$(tail -n 1 out | cut -d, -f 1 | awk '{ print ($1 > 2.4999 && $1 < 2.5001) }')" = 1 ]
check "--steps may go beyond the duration" $?
awk -F, 'BEGIN { bad = 0 } NR > 2 { t = sprintf("%.17g", (NR - 2) * 0.1); bad += ($1 != t) } END { exit bad > 0 }' load.csv
check "t is k h, a product, as double" $?

file=$here/scenes/sunk_and_standing.toml
run run "$file" --csv load.csv --quiet
# a profile with one moving body refuses it, and says so
if ! grep -q 'ECP_MAX_MOVING' err; then
    near "$(column gap_min 0)" -0.05 && near "$(column c0.gap 0)" -0.05 && near "$(column c1.gap 0)" 0 &&
        near "$(column c0.gap 1)" -0.0494 && near "$(column c0.gap 11)" -0.0434
    check "a start 0.05 m deep shows it and leaves with 0.3 radii a second" $?
    head -n 1 load.csv | grep -q '^t,.*,sunk\.wz,can\.px,.*,can\.wz,c0\.mode,.*,c0\.reserve,c1\.mode,.*,c1\.reserve$'
    check "columns stand in file order" $?
fi
file=$here/scenes/locks_loads.toml
run run "$file" --csv load.csv --quiet
awk -F, 'NR > 1 { bad += ($15 != 0 || $17 != 0); p[$8] = 1 } END { for (x in p) n++; exit !(bad == 0 && n == 1) }' load.csv
check "locked velocities are and stay zero, those of the start too" $?

# --- streams
run run good.toml --csv - --json --hash
cmp -s out out.csv && grep -q '^{"title"' err && grep -q '^hash: ' err && [ "$(wc -l < err)" -eq 2 ]
check "with --csv - summary and hash are on stderr" $?
run run good.toml --json --hash
[ "$code" -eq 0 ] && grep -q '^hash: [0-9a-f]\{16\}$' out && head -n 1 out | grep -q '^{.*}$' && [ ! -s err ]
check "without a CSV on stdout the hash is on stdout" $?
run run --quiet --hash good.toml
[ "$code" -eq 0 ] && grep -q '^hash: ' out
check "options may stand before the file" $?
run run fast.toml --csv - --hash
[ "$code" -eq 1 ] && [ "$(wc -l < out)" -eq 7 ] && grep -q 'ECP_E_' err && grep -q '^hash: ' err
check "a refused step leaves the rows before it on stdout" $?
if [ -w /dev/full ]; then
    run run good.toml --csv /dev/full
    [ "$code" -eq 1 ] && [ -s err ]
    check "a full disk ends with 1" $?
    "$bin" run good.toml > /dev/full 2> err
    [ $? -eq 1 ] && [ -s err ]
    check "a full disk behind stdout ends with 1" $?
fi
for word in run check init demo gen soak; do
    run help $word
    cp out help.txt
    [ "$code" -eq 0 ] && grep -q "^usage: ecp $word" out && [ ! -s err ]
    check "ecp help $word" $?
    run $word --help
    [ "$code" -eq 0 ] && cmp -s out help.txt
    check "ecp $word --help says the same" $?
done
run rnu
[ "$code" -eq 2 ] && grep -q "did you mean 'run'?" err
check "a misspelt command" $?
run run good.toml --hsah
[ "$code" -eq 2 ] && grep -q "did you mean '--hash'?" err
check "a misspelt option" $?
