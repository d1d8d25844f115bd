/*
 * bare.h: for the second look at a source (../calls.py), which makes no code.
 * Calls of the libraries become calls that Clang checks itself.
 */
#ifndef ROCKCREEK_BARE_H
#define ROCKCREEK_BARE_H

/* An argument without the cast before it: what the user's variable is. The
 * cast is the argument list of a macro that expands to a comma. What is in
 * parentheses as a whole stays as it is. */
#define ROCKCREEK_COMMA(...) ,
#define ROCKCREEK_FIRST(first, ...) first
#define ROCKCREEK_TAKE(...) ROCKCREEK_FIRST(__VA_ARGS__)
#define ROCKCREEK_OR(whole, ...) \
    ROCKCREEK_TAKE(__VA_OPT__(__VA_ARGS__, ) whole, ~)
#define ROCKCREEK_SECOND(whole, first, second, ...) ROCKCREEK_OR(whole, second)
#define ROCKCREEK_CHOOSE(...) ROCKCREEK_SECOND(__VA_ARGS__)
#define ROCKCREEK_BARE(x) ROCKCREEK_CHOOSE(x, ROCKCREEK_COMMA x, x, ~)

/* -Wsizeof-pointer-memaccess knows memcpy alone. */
static char rockcreek_room[1] __attribute__((unused));
#define ROCKCREEK_SIZED(buffer, size) \
    ((void)__builtin_memcpy(rockcreek_room, ROCKCREEK_BARE(buffer), size))

#endif
