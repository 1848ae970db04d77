#!/bin/sh
# budget.sh check|refresh BUDGETS.csv MEASURED.csv...: print what was measured and compare it with what
# is allowed (check), or allow what was measured and a quarter more (refresh). Aims that hold are kept
# as they are: a world of `tiny` below 8 KiB; an image of `m4f` in 48 KiB of flash, and in 24 KiB of RAM
# with its stack; 4 KiB of stack; 60,000 instructions in the median and 300,000 at most for a step of
# the sliding cube on cores with a floating-point unit.
set -eu
mode=$1 budgets=$2
shift 2
header='profile,board,flash_core,flash_image,ram_image,world,stack_static,stack_painted,steps_median,steps_worst,slide_median,slide_worst'

table() {
    cat "$@" | awk -F, '
        BEGIN {
            print "| profile | board | flash: core | image | RAM: image | sizeof(ecp_world) | stack: graph | painted | instructions/step: median | worst | cube_slide: median | worst |"
            print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        }
        function grouped(x,    s) {
            if (x == "") return "-"
            s = ""
            while (length(x) > 3) { s = "," substr(x, length(x) - 2) s; x = substr(x, 1, length(x) - 3) }
            return x s
        }
        { line = "| " $1 " | " $2; for (i = 3; i <= 12; i++) line = line " | " grouped($i); print line " |" }'
}

check() {
    cat "$@" | awk -F, -v budgets="$budgets" -v header="$header" '
        BEGIN {
            n = split(header, name, ",")
            while ((getline line < budgets) > 0) { split(line, f, ","); allowed[f[1] "," f[2]] = line }
        }
        !(($1 "," $2) in allowed) { print "no budget for " $1 " on " $2 " in " budgets; bad = 1; next }
        {
            split(allowed[$1 "," $2], a, ",")
            for (i = 3; i <= n; i++) {
                if ($i == "") continue
                if (a[i] == "") { print "no budget: " $1 " on " $2 ": " name[i]; bad = 1 }
                else if ($i + 0 > a[i] + 0) {
                    print "over budget: " $1 " on " $2 ": " name[i] " " $i ", allowed " a[i]; bad = 1
                }
            }
        }
        END { print bad ? "budget: FAILED" : "budget: everything within " budgets; exit bad }'
}

refresh() {
    { echo "$header"; cat "$@" | awk -F, -v OFS=, '
        function aim(x, limit) { return x <= limit ? limit : "" }
        {
            hard = $2 == "microbit"
            for (i = 3; i <= 12; i++) {
                if ($i == "") continue
                x = $i; top = ""
                if (i == 4 && $1 == "m4f") top = aim(x, 49152)
                if (i == 5 && $1 == "m4f") top = aim(x, 22400)
                if (i == 6 && $1 == "tiny") top = aim(x, 8191)
                if (i == 7 || i == 8) top = aim(x, 4096)
                if (i == 11 && !hard) top = aim(x, 60000)
                if (i == 12 && !hard) top = aim(x, 300000)
                unit = i < 9 ? 64 : 1000
                room = unit * int((1.25 * x + unit - 1) / unit)
                $i = top == "" ? room : (room < top && i < 11 ? room : top)
            }
            print
        }'; } > "$budgets"
    echo "budget: $budgets written"
}

table "$@"
"$mode" "$@"
