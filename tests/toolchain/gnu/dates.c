/* GNU's conversions of strftime(), the days that strptime() works out, and
 * timer_delete() of a timer that is not there. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void form(const struct tm *tm, const char *format)
{
    char text[80] = "";
    size_t length = strftime(text, sizeof text, format, tm);

    printf("%s: %zu [%s]\n", format, length, text);
}

static void read_back(const char *text, const char *format)
{
    struct tm tm = {0};
    const char *end = strptime(text, format, &tm);

    printf("%s: %s %d %d\n", format, end ? end : "none", tm.tm_wday,
           tm.tm_yday);
}

int main(void)
{
    struct tm tm = {.tm_year = 124,
                    .tm_mon = 6,
                    .tm_mday = 3,
                    .tm_hour = 7,
                    .tm_wday = 3,
                    .tm_yday = 184,
                    .tm_min = 5};
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    char text[4];
    timer_t timer;
    int first, second;

    form(&tm, "%k|%l|%P|%-l|%0k");
    form(&tm, "%^a %^b %#a %#p %^Ex 100%% %-d %_m %H");
    form(&tm, "%a %d %b");
    form(&tm, "%^B");
    form(&tm, "");
    tm.tm_hour = 0;
    form(&tm, "%k:%M %l %P");
    tm.tm_hour = 23;
    form(&tm, "%k:%M %l %P");
    printf("%zu\n", strftime(text, sizeof text, "%k %k", &tm));
    read_back("2024-02-29 23:59 rest", "%Y-%m-%d %H:%M");
    read_back("2023-12-31", "%F");
    read_back("3 Mar 1999", "%d %b %Y");
    read_back("12:30", "%H:%M");
    read_back("2024-02-03T04:05:06+01:30!", "%FT%T%z");
    read_back("86400 2024-060", "%s %Y-%j");
    read_back(" 4 7 CET x", "%e %k %Z %%Y");
    read_back("nothing", "%Y-%m-%d");
    timer_create(CLOCK_MONOTONIC, &none, &timer);
    first = timer_delete(timer);
    errno = 0;
    second = timer_delete(timer);
    printf("%d %d %d\n", first, second, errno == EINVAL);
    return 0;
}
