/*
 * argp_page.c: words onto lines that end before the right margin.
 */
#include "argp_lib.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void begin(struct page *page, unsigned indent)
{
    page->begun = page->length = indent;
    memset(page->line, ' ', indent);
}

static void flush(struct page *page)
{
    fwrite(page->line, 1, page->length, page->out);
    page->length = page->begun = 0;
}

/* The word at the line's end moves to a line of its own. */
static void wrap(struct page *page)
{
    unsigned at = page->length, end;
    char word[LINE];
    size_t size;

    while (at > page->begun && page->line[at - 1] != ' ')
        at--;
    for (end = at; end > page->begun && page->line[end - 1] == ' ';)
        end--;
    if (end == page->begun)
        return;
    size = page->length - at;
    memcpy(word, page->line + at, size);
    page->length = end;
    flush(page);
    fputc('\n', page->out);
    begin(page, page->wrap);
    memcpy(page->line + page->length, word, size);
    page->length += (unsigned)size;
}

static void put(struct page *page, char c)
{
    if (c == '\n') {
        flush(page);
        fputc('\n', page->out);
        return;
    }
    if (page->length == 0)
        begin(page, page->left);
    if (page->length == LINE)
        flush(page);
    page->line[page->length++] = c;
    if (page->length > RIGHT_MARGIN && c != ' ')
        wrap(page);
}

void __argp_page_put(struct page *page, const char *text)
{
    while (*text)
        put(page, *text++);
}

void __argp_page_format(struct page *page, const char *format, ...)
{
    va_list values;
    char *text;

    va_start(values, format);
    if (vasprintf(&text, format, values) >= 0) {
        __argp_page_put(page, text);
        free(text);
    }
    va_end(values);
}

void __argp_page_indent(struct page *page, unsigned column)
{
    while (page->length < column && page->length < LINE)
        page->line[page->length++] = ' ';
}

/* A blank, or a new line if so many columns do not fit behind it. */
void __argp_page_space(struct page *page, size_t needed)
{
    put(page, page->length + needed >= RIGHT_MARGIN ? '\n' : ' ');
}

void __argp_page_margins(struct page *page, unsigned left, unsigned indent)
{
    page->left = left;
    page->wrap = indent;
}

void __argp_page_end(struct page *page)
{
    flush(page);
}
