/*
 * unsigned_string.h: strings of unsigned char, which libstdc++ has and libc++
 * has no more; pbzip2 uses one.
 */
#ifdef __cplusplus
#include <cstring>
#include <string>

template <> struct std::char_traits<unsigned char> {
    using char_type = unsigned char;
    using int_type = int;
    using off_type = std::streamoff;
    using pos_type = std::streampos;
    using state_type = std::mbstate_t;

    static void assign(char_type &to, const char_type &from)
    {
        to = from;
    }
    static char_type *assign(char_type *to, size_t count, char_type value)
    {
        return static_cast<char_type *>(std::memset(to, value, count));
    }
    static bool eq(char_type a, char_type b)
    {
        return a == b;
    }
    static bool lt(char_type a, char_type b)
    {
        return a < b;
    }
    static int compare(const char_type *a, const char_type *b, size_t count)
    {
        return std::memcmp(a, b, count);
    }
    static size_t length(const char_type *text)
    {
        return std::strlen(reinterpret_cast<const char *>(text));
    }
    static const char_type *find(const char_type *text, size_t count,
                                 const char_type &wanted)
    {
        return static_cast<const char_type *>(std::memchr(text, wanted, count));
    }
    static char_type *move(char_type *to, const char_type *from, size_t count)
    {
        return static_cast<char_type *>(std::memmove(to, from, count));
    }
    static char_type *copy(char_type *to, const char_type *from, size_t count)
    {
        return static_cast<char_type *>(std::memcpy(to, from, count));
    }
    static char_type to_char_type(int_type value)
    {
        return static_cast<char_type>(value);
    }
    static int_type to_int_type(char_type value)
    {
        return value;
    }
    static bool eq_int_type(int_type a, int_type b)
    {
        return a == b;
    }
    static int_type eof()
    {
        return -1;
    }
    static int_type not_eof(int_type value)
    {
        return value == -1 ? 0 : value;
    }
};
#endif
