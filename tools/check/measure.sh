#!/bin/sh
# measure.sh BOARD OUT-DIR TOOL PROFILE RESULT: sizes of the images in OUT-DIR and what their bench
# counted (OUT-DIR/bench.txt, counts.txt), as one line of config/budgets.csv.
set -eu
board=$1 out=$2 tool=$3 profile=$4 result=$5
callbacks='ecp_island_evaluate ecp_island_factor ecp_island_direction ecp_island_adapt'

flash_core=$(awk -f tools/check/map.awk "$out/predict.map")
flash_image=$("${tool}size" -A "$out/predict.elf" | awk '/^\.(text|data|ARM)/ { n += $2 } END { print n }')
ram_image=$("${tool}size" -A "$out/predict.elf" | awk '/^\.(data|bss)/ { n += $2 } END { print n }')
world=$(awk '$1 == "bench" && $2 == "world" { print $3 }' "$out/bench.txt")
path=$(awk -v callbacks="$callbacks" -f tools/check/stack.awk "$out"/core/*/*.ci)
stack_static=${path%% *}
stack_painted=$(awk '$3 == "steps" && $8 > n { n = $8 } END { print n }' "$out/bench.txt")
# paint that is gone and a call graph that knows nothing of it: a callback is missing above
if [ "$stack_painted" -gt $((stack_static + 192)) ]; then
    echo "$board: painted stack $stack_painted, call graph $stack_static: a path is missing in the graph" >&2
    exit 1
fi

# one number per step, in the order of the scenes
awk '$3 == "steps" { for (i = 0; i < $4; i++) print $2 }' "$out/bench.txt" > "$out/names.txt"
[ "$(wc -l < "$out/names.txt")" -eq "$(wc -l < "$out/counts.txt")" ] ||
    { echo "$board: the plugin counted another number of steps than the bench ran" >&2; exit 1; }
paste -d' ' "$out/names.txt" "$out/counts.txt" > "$out/steps.txt"
middle() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] "," a[NR] }'; }
for scene in $(awk '$3 == "steps" { print $2 }' "$out/bench.txt"); do
    echo "$scene,$(awk -v s="$scene" '$1 == s { print $2 }' "$out/steps.txt" | middle)"
done > "$out/scenes.csv"
all=$(awk '{ print $2 }' "$out/steps.txt" | middle)
slide=$(awk -F, '$1 == "cube_slide" { print $2 "," $3 }' "$out/scenes.csv")

mkdir -p "$(dirname "$result")"
echo "$profile,$board,$flash_core,$flash_image,$ram_image,$world,$stack_static,$stack_painted,$all,$slide" > "$result"
echo "$path" > "${result%.csv}.path"
