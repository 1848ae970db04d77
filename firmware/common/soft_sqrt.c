// The square root of newlib for cores without floating-point unit, without its outer function: that
// one sets errno and brings a kilobyte of RAM with it. The same bits.
float __ieee754_sqrtf(float x);
float sqrtf(float x);

float sqrtf(float x)
{
    return __ieee754_sqrtf(x);
}
