# Reset of a RISC-V hart in machine mode: stack, traps, floating-point unit, static data, then main.
    .option arch, +zicsr
    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    csrr t0, mhartid
    bnez t0, park
    la sp, _estack
    la t0, trap
    csrw mtvec, t0
#ifdef __riscv_flen
    li t0, 0x2000            # mstatus.FS, before the first floating-point instruction
    csrs mstatus, t0
    csrw fcsr, zero
#endif
    la t0, _sbss
    la t1, _ebss
clear:
    bgeu t0, t1, run
    sw zero, 0(t0)
    addi t0, t0, 4
    j clear
run:
    call main
    tail ecp_port_exit
park:
    wfi
    j park

    .balign 4
trap:
    la a0, trap_text
    call print_text
    csrr a0, mcause
    li a1, 0
    call print_hex
    la a0, trap_at
    call print_text
    csrr a0, mepc
    li a1, 0
    call print_hex
    la a0, trap_end
    call print_text
    li a0, 123
    tail ecp_port_exit

    .section .rodata
trap_text: .asciz "fault: mcause "
trap_at:   .asciz " mepc "
trap_end:  .asciz "\n"
