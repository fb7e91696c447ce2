/* The kernels of shared channels (kernel.h) for processors with vectors of 32 bytes (AVX2) and shifts that leave
 * flags alone (BMI2), which x86-64 has not always: with the same results, in 9 % fewer instructions. Compilers that
 * cannot be told so within a file, and all other processors, have those of cycle.c alone. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__AVX2__)
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#include "netmodel/shared-engine/kernel.h"

/* Asked at run time: one program runs on both kinds of processors. */
bool net_shared_choose_avx2(struct net_shared_engine *engine)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && choose_shape(engine);
}

#else
#include "netmodel/shared-engine/internal.h"

bool net_shared_choose_avx2(struct net_shared_engine *engine)
{
    (void)engine;
    return false;
}

#endif
