/*
 * text.cpp: from bytes to nested lists. Nothing here recurses: a file of
 * parentheses alone must not use up the stack.
 */
#include "pddl/text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace planner
{
namespace
{
constexpr size_t MOST_BYTES = 8u << 20;
/* Formulas nest a few levels; this many is no PDDL. */
constexpr size_t MOST_DEPTH = 100;

std::string place(const std::string &shown, uint32_t line, uint32_t column)
{
    return shown + ":" + std::to_string(line) + ":" + std::to_string(column) +
           ": ";
}

/* Reads one text; keeps line and column as it goes. */
class Reader
{
  public:
    Reader(const std::string &shown, const std::string &content)
        : shown_(shown), content_(content)
    {
    }

    Node read()
    {
        Node all;

        all.line = all.column = 1;
        open_.push_back(std::move(all));
        /* A byte order mark, which some editors write before the text. */
        if (content_.compare(0, 3, "\xEF\xBB\xBF") == 0)
            at_ = 3;
        while (at_ < content_.size())
            next();
        if (open_.size() > 1)
            fail(open_.back().line, open_.back().column,
                 "this parenthesis is never closed",
                 "count the parentheses of this part");
        return std::move(open_.front());
    }

  private:
    const std::string &shown_, &content_;
    size_t at_ = 0;
    uint32_t line_ = 1, column_ = 1;
    std::vector<Node> open_; /* the lists around this place */

    [[noreturn]] void fail(uint32_t line, uint32_t column,
                           const std::string &message, const char *hint) const
    {
        throw BadInput(place(shown_, line, column) + message, hint);
    }

    /* A line ends with LF, with CR LF, or with CR alone. */
    bool ends_line() const
    {
        return content_[at_] == '\n' ||
               (content_[at_] == '\r' &&
                (at_ + 1 == content_.size() || content_[at_ + 1] != '\n'));
    }

    void step()
    {
        bool ends = ends_line();

        at_++;
        line_ += ends;
        column_ = ends ? 1 : column_ + 1;
    }

    void next()
    {
        char c = content_[at_];

        if (c == ';') {
            while (at_ < content_.size() && !ends_line())
                step();
        } else if (c == '(') {
            open();
        } else if (c == ')') {
            close();
        } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
            step();
        } else {
            word();
        }
    }

    void open()
    {
        Node list;

        if (open_.size() > MOST_DEPTH)
            fail(line_, column_,
                 "parentheses are nested more than " +
                     std::to_string(MOST_DEPTH) + " deep",
                 "is this file PDDL?");
        list.line = line_;
        list.column = column_;
        open_.push_back(std::move(list));
        step();
    }

    void close()
    {
        if (open_.size() == 1)
            fail(line_, column_, "this parenthesis closes nothing",
                 "delete it, or open one before it");
        Node list = std::move(open_.back());

        open_.pop_back();
        open_.back().parts.push_back(std::move(list));
        step();
    }

    void word()
    {
        Node word;

        word.line = line_;
        word.column = column_;
        while (at_ < content_.size()) {
            unsigned char c = (unsigned char)content_[at_];

            if (c == '(' || c == ')' || c == ';' || c == ' ' ||
                (c >= '\t' && c <= '\r'))
                break;
            if (c < ' ' || c >= 127)
                fail(line_, column_,
                     "byte " + std::to_string(c) + " is no character of PDDL",
                     "names have letters, digits, - and _ of ASCII");
            word.word += (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
            step();
        }
        open_.back().parts.push_back(std::move(word));
    }
};
} // namespace

Text::Text(const std::string &shown, const std::string &content) : shown_(shown)
{
    Node all = Reader(shown, content).read();

    if (all.parts.empty())
        throw BadInput(place(shown, 1, 1) + "the file is empty",
                       "a PDDL file begins with (define");
    root_ = std::move(all.parts[0]);
    if (!root_.starts_with("define"))
        fail(root_, "a PDDL file begins with (define", "is this file PDDL?");
    if (all.parts.size() > 1)
        fail(all.parts[1], "something stands behind the end of (define ...)",
             "one file has one domain or one problem: delete the rest, or"
             " move the parenthesis");
}

void Text::fail(const Node &at, const std::string &message,
                const std::string &hint) const
{
    throw BadInput(place(shown_, at.line, at.column) + message, hint);
}

void Text::fail_part(const Node &part, const char *of_what,
                     const char *hint) const
{
    const Node &first = part.parts.empty() ? part : part.parts[0];
    std::string name = first.is_list() ? "this" : "'" + first.word + "'";

    fail(first, name + " is no part of " + of_what + " that the planner knows",
         hint);
}

const std::string &Text::word(const Node &node, const char *of_what) const
{
    if (node.is_list())
        fail(node, std::string("the name of ") + of_what + " should stand here",
             "put a word instead of the list");
    return node.word;
}

const std::string &Text::name(const Node &node, const char *of_what) const
{
    const std::string &found = word(node, of_what);

    if (found[0] == '?')
        fail(node,
             "the name of " + std::string(of_what) +
                 " begins without '?', unlike '" + found + "'",
             "only parameters begin with '?': write " + found.substr(1));
    return found;
}

const Node &Text::list(const Node &node, const char *of_what) const
{
    if (!node.is_list())
        fail(node,
             std::string(of_what) + " should stand here in parentheses, not '" +
                 node.word + "'",
             "put it in parentheses");
    return node;
}

std::string read_file(const std::string &path, const std::string &shown)
{
    FILE *file = std::fopen(path.c_str(), "rb");
    std::string content;
    char part[4096];
    size_t bytes;

    if (!file)
        throw BadInput(shown + ": " + std::strerror(errno),
                       "name a file in the folder of `rck run --share`");
    while ((bytes = std::fread(part, 1, sizeof part, file)) > 0 &&
           content.size() <= MOST_BYTES)
        content.append(part, bytes);
    std::fclose(file);
    if (content.size() > MOST_BYTES)
        throw BadInput(shown + ": the file has more than " +
                           std::to_string(MOST_BYTES >> 20) + " MB",
                       "the planner reads files up to this size");
    return content;
}
} // namespace planner
