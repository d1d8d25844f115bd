// cc: -O2 -fno-builtin
// run: -n 1
// expect-stdout:
// all right
/* The macros of math.h: classification and comparison, for all three types. */
#include <math.h>
#include <stdio.h>

static int failures;

static void check(int right, const char *what, const char *type)
{
    if (!right) {
        printf("wrong: %s for %s\n", what, type);
        failures++;
    }
}

#define CHECK(condition) check(!!(condition), #condition, type)

#define TEST(name, T, tiny_value)                                             \
    static void name(const char *type)                                        \
    {                                                                         \
        volatile T zero = 0, one = 1, tiny = (tiny_value);                    \
        volatile T infinite = one / zero, none = infinite - infinite;         \
                                                                              \
        CHECK(fpclassify(zero) == FP_ZERO && fpclassify(-zero) == FP_ZERO);   \
        CHECK(fpclassify(one) == FP_NORMAL && fpclassify(-one) == FP_NORMAL); \
        CHECK(fpclassify(tiny) == FP_SUBNORMAL);                              \
        CHECK(fpclassify(infinite) == FP_INFINITE);                           \
        CHECK(fpclassify(none) == FP_NAN);                                    \
        CHECK(isinf(infinite) && isinf(-infinite) && !isinf(one));            \
        CHECK(isnan(none) && !isnan(infinite) && !isnan(one));                \
        CHECK(isnormal(one) && !isnormal(zero) && !isnormal(tiny));           \
        CHECK(!isnormal(infinite) && !isnormal(none));                        \
        CHECK(isfinite(tiny) && isfinite(one) && !isfinite(infinite));        \
        CHECK(!isfinite(none));                                               \
        CHECK(signbit(-one) && signbit(-zero) && !signbit(zero));             \
        CHECK(signbit(-infinite) && !signbit(tiny));                          \
        CHECK(isless(zero, one) && !isless(one, one) && !isless(none, one));  \
        CHECK(islessequal(one, one) && !islessequal(one, zero));              \
        CHECK(!islessequal(one, none));                                       \
        CHECK(islessgreater(one, zero) && !islessgreater(one, one));          \
        CHECK(!islessgreater(none, none));                                    \
        CHECK(isgreater(one, zero) && !isgreater(one, one));                  \
        CHECK(!isgreater(one, none));                                         \
        CHECK(isgreaterequal(one, one) && !isgreaterequal(zero, one));        \
        CHECK(!isgreaterequal(none, one));                                    \
        CHECK(isunordered(none, one) && isunordered(one, none));              \
        CHECK(!isunordered(one, infinite));                                   \
    }

TEST(test_float, float, 0x1p-149f)
TEST(test_double, double, 0x1p-1074)
TEST(test_long_double, long double, 0x1p-16445L)

int main(void)
{
    test_float("float");
    test_double("double");
    test_long_double("long double");
    if (failures == 0)
        puts("all right");
    return failures != 0;
}
