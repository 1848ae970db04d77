// A stand-in for the console of an Arduino board.
#include <stdint.h>
#include <stdio.h>
enum { HEX = 16 };
struct SerialPort {
    void begin(unsigned long) {}
    void print(unsigned long x, int) { printf("%lX", x); }
    void println() { printf("\n"); }
};
static SerialPort Serial;
