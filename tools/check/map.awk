# map.awk - bytes of code and constants that core adds to an image, from the map of the linker.
function hex(s,    i, x) {
    x = 0
    s = tolower(substr(s, 3))
    for (i = 1; i <= length(s); i++) x = 16 * x + index("0123456789abcdef", substr(s, i, 1)) - 1
    return x
}
/^Linker script and memory map/ { linked = 1 }
# a long name of a section stands alone, the rest on the next line
NF == 1 && /^ \.(text|rodata|srodata|sdata|data)/ { name = $1; next }
linked && $1 ~ /^\.(text|rodata|srodata|sdata|data)/ && NF == 4 { add($3, $4) }
linked && name != "" && NF == 3 { add($2, $3) }
{ name = "" }
function add(size, file) { if (file ~ /\/core\/[a-z]+\/[a-z0-9_]+\.o$/) sum += hex(size) }
END { print sum + 0 }
