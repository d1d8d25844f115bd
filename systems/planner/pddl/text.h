/* A text as nested lists of words, each with its place. */
#ifndef PLANNER_PDDL_TEXT_H
#define PLANNER_PDDL_TEXT_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace planner
{
/* An error in an input: its place and kind as the message, and a hint what to
 * do. */
struct BadInput : std::runtime_error {
    std::string hint;
    BadInput(const std::string &message, const std::string &what_to_do)
        : std::runtime_error(message), hint(what_to_do)
    {
    }
};

/* A word, or a list of nodes. Words are in lower case, because PDDL does not
 * distinguish upper and lower case. */
struct Node {
    std::string word; /* empty: a list */
    std::vector<Node> parts;
    uint32_t line = 0, column = 0;

    bool is_list() const
    {
        return word.empty();
    }
    bool starts_with(const char *first) const
    {
        return !parts.empty() && parts[0].word == first;
    }
};

class Text
{
  public:
    /* Reads `content`; `shown` is the file's name in error messages. */
    Text(const std::string &shown, const std::string &content);

    const Node &root() const
    {
        return root_;
    }
    [[noreturn]] void fail(const Node &at, const std::string &message,
                           const std::string &hint) const;
    /* The error that `part` is not one that `of_what` can have here. */
    [[noreturn]] void fail_part(const Node &part, const char *of_what,
                                const char *hint) const;
    /* The word of a node; reports an error that says `of_what` if the node is a
     * list. */
    const std::string &word(const Node &node, const char *of_what) const;
    /* As word, of a name that is declared here; reports an error if it is that
     * of a parameter, with '?'. */
    const std::string &name(const Node &node, const char *of_what) const;
    const Node &list(const Node &node, const char *of_what) const;

  private:
    std::string shown_;
    Node root_;
};

/* The contents of a file; error messages use the name `shown`. */
std::string read_file(const std::string &path, const std::string &shown);
} // namespace planner

#endif
