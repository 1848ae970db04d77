#!/bin/sh
# need.sh WHAT...: say which package to install for every tool that is missing; 1 if one is.
# WHAT: arm-none-eabi-, riscv64-unknown-elf- (compiler and its libc), or a program of QEMU.
status=0
missing() {
    echo "$1 is missing: apt-get install $2 (the host build does not need it)"
    status=1
}
for what in "$@"; do
    case $what in
    arm-none-eabi-)
        command -v arm-none-eabi-gcc > /dev/null || missing arm-none-eabi-gcc 'gcc-arm-none-eabi libnewlib-arm-none-eabi'
        command -v arm-none-eabi-gcc > /dev/null && [ "$(arm-none-eabi-gcc -print-file-name=libm.a)" = libm.a ] &&
            missing 'newlib for arm-none-eabi-gcc' libnewlib-arm-none-eabi
        ;;
    riscv64-unknown-elf-)
        command -v riscv64-unknown-elf-gcc > /dev/null || missing riscv64-unknown-elf-gcc 'gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf'
        command -v riscv64-unknown-elf-gcc > /dev/null &&
            [ "$(riscv64-unknown-elf-gcc -print-file-name=picolibc.specs)" = picolibc.specs ] &&
            missing 'picolibc for riscv64-unknown-elf-gcc' picolibc-riscv64-unknown-elf
        ;;
    qemu-system-arm) command -v $what > /dev/null || missing $what qemu-system-arm ;;
    *) command -v "$what" > /dev/null || missing "$what" qemu-system-misc ;;
    esac
done
exit $status
