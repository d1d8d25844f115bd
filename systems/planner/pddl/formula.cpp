/*
 * formula.cpp: atoms, conditions, terms and numbers.
 */
#include "pddl/names.h"

namespace planner
{
namespace
{
/* What PDDL has and this planner does not, and how to go on. */
const struct {
    const char *word, *name;
} UNKNOWN[] = {
    {"or", "a disjunction (:disjunctive-preconditions)"},
    {"imply", "an implication (:disjunctive-preconditions)"},
    {"exists", "an existential condition (:existential-preconditions)"},
    {"forall", "a universal condition or effect (:universal-preconditions)"},
    {"when", "a conditional effect (:conditional-effects)"},
    {"assign", "a numeric effect (:numeric-fluents)"},
    {"decrease", "a numeric effect (:numeric-fluents)"},
    {"increase", "a numeric effect other than of total-cost"},
    {"scale-up", "a numeric effect (:numeric-fluents)"},
    {"scale-down", "a numeric effect (:numeric-fluents)"},
    {"<", "a numeric condition (:numeric-fluents)"},
    {">", "a numeric condition (:numeric-fluents)"},
    {"<=", "a numeric condition (:numeric-fluents)"},
    {">=", "a numeric condition (:numeric-fluents)"},
    {"preference", "a preference (:preferences)"},
    {"oneof", "an effect by chance (:non-deterministic)"},
    {"probabilistic", "an effect by chance (:probabilistic-effects)"},
};
} // namespace

static void refuse_unknown(const Text &text, const Node &node,
                           const Names &declared)
{
    const std::string &word = node.parts[0].word;

    for (const auto &one : UNKNOWN)
        if (word == one.word && !declared.count(word))
            text.fail(node.parts[0],
                      std::string(one.name) + ", '" + word +
                          "', is not supported",
                      "write it as several actions without it, or use a"
                      " planner that has it");
}

Argument Reading::argument(const Text &text, const Node &node,
                           const Scope *scope)
{
    const std::string &word = text.word(node, "an object");

    if (word[0] == '?') {
        if (!scope)
            text.fail(node, "a parameter, '" + word + "', where none can be",
                      "name an object");
        auto found = scope->names.find(word);

        if (found == scope->names.end())
            text.fail(node, "'" + word + "' is no parameter of this action",
                      "add it to :parameters");
        return ~found->second;
    }
    auto found = objects.find(word);

    if (found == objects.end())
        text.fail(node, "undeclared object '" + word + "'",
                  "declare it in (:objects ...), or in (:constants ...) of"
                  " the domain");
    return found->second;
}

void Reading::check_arguments(const Text &text, const Node &node,
                              const Predicate &declared,
                              const std::vector<Argument> &arguments)
{
    if (arguments.size() != declared.parameters.size())
        text.fail(node,
                  "'" + declared.name + "' has " +
                      std::to_string(declared.parameters.size()) +
                      " arguments, not " + std::to_string(arguments.size()),
                  "see where it is declared");
    for (size_t n = 0; n < arguments.size(); n++) {
        bool object = arguments[n] >= 0;

        if (object && !task.fits(arguments[n], declared.parameters[n]))
            text.fail(node.parts[n + 1],
                      "object '" + node.parts[n + 1].word +
                          "' has not the type that '" + declared.name +
                          "' asks for",
                      "see where both are declared");
    }
}

Literal Reading::atom(const Text &text, const Node &node, const Scope *scope,
                      bool negated)
{
    text.list(node, "an atom such as (on a b)");
    if (node.parts.empty())
        text.fail(node, "an empty atom", "name its predicate");
    const std::string &name = text.word(node.parts[0], "a predicate");
    auto found = predicates.find(name);

    refuse_unknown(text, node, predicates);
    if (found == predicates.end())
        text.fail(node.parts[0], "undeclared predicate '" + name + "'",
                  "declare it in (:predicates ...) of the domain");
    Literal literal{found->second, {}, negated};

    for (size_t n = 1; n < node.parts.size(); n++)
        literal.arguments.push_back(argument(text, node.parts[n], scope));
    check_arguments(text, node, task.predicates[(size_t)found->second],
                    literal.arguments);
    return literal;
}

void Reading::formula(const Text &text, const Node &node, const Scope *scope,
                      const char *of_what, std::vector<Literal> &into)
{
    text.list(node, of_what);
    if (node.parts.empty())
        return;
    if (node.starts_with("and")) {
        for (size_t n = 1; n < node.parts.size(); n++)
            formula(text, node.parts[n], scope, of_what, into);
    } else if (node.starts_with("not")) {
        if (node.parts.size() != 2 || node.parts[1].starts_with("and") ||
            node.parts[1].starts_with("not"))
            text.fail(node, "'not' has one atom", "write (not (on a b))");
        into.push_back(atom(text, node.parts[1], scope, true));
    } else {
        into.push_back(atom(text, node, scope, false));
    }
}

int Reading::function(const Text &text, const Node &node, const Scope *scope,
                      std::vector<Argument> &arguments)
{
    text.list(node, "a function such as (distance a b)");
    if (node.parts.empty())
        text.fail(node, "an empty term", "name its function");
    const std::string &name = text.word(node.parts[0], "a function");
    auto found = functions.find(name);

    if (found == functions.end())
        text.fail(node.parts[0], "undeclared function '" + name + "'",
                  "declare it in (:functions ...) of the domain");
    for (size_t n = 1; n < node.parts.size(); n++)
        arguments.push_back(argument(text, node.parts[n], scope));
    check_arguments(text, node, task.functions[(size_t)found->second],
                    arguments);
    return found->second;
}

uint32_t Reading::number(const Text &text, const Node &node)
{
    const std::string &word = text.word(node, "a number");
    size_t digits = word.find_first_not_of("0123456789");
    /* 5.0 is a whole number, too. */
    bool whole = digits == std::string::npos ||
                 (word[digits] == '.' && digits > 0 &&
                  word.find_first_not_of('0', digits + 1) == std::string::npos);
    std::string part = word.substr(0, digits);

    if (!whole || part.size() > 9)
        text.fail(node, "'" + word + "' is no cost",
                  "costs are whole numbers from 0 to 999999999");
    return (uint32_t)std::stoul(part);
}
} // namespace planner
