/*
 * names.cpp: requirements, typed lists, declarations.
 */
#include "pddl/names.h"

namespace planner
{
namespace
{
const char *const KNOWN[] = {":strips", ":typing", ":equality",
                             ":negative-preconditions", ":action-costs"};
constexpr const char *WHAT_IS_KNOWN =
    "the planner knows :strips, :typing, :equality, :negative-preconditions"
    " and :action-costs";
} // namespace

Reading::Reading(Task &of) : task(of)
{
    task.types.push_back({"object", {}});
    types["object"] = 0;
    task.predicates.push_back({"=", {{0}, {0}}});
    predicates["="] = EQUALS;
}

void Reading::requirements(const Text &text, const Node &part)
{
    for (size_t n = 1; n < part.parts.size(); n++) {
        const std::string &word = text.word(part.parts[n], "a requirement");
        bool known = false;

        for (const char *one : KNOWN)
            known |= word == one;
        if (!known)
            text.fail(part.parts[n], "unknown requirement '" + word + "'",
                      WHAT_IS_KNOWN);
    }
}

TypeSet Reading::type_of(const Text &text, const Node &node)
{
    TypeSet found;
    auto add = [&](const Node &word) {
        auto type = types.find(text.word(word, "a type"));

        if (type == types.end())
            text.fail(word, "undeclared type '" + word.word + "'",
                      "declare it in (:types ...) of the domain");
        found.push_back(type->second);
    };

    if (!node.is_list()) {
        add(node);
        return found;
    }
    if (!node.starts_with("either") || node.parts.size() < 2)
        text.fail(node, "a type, or (either type type), should stand here",
                  "name one type");
    for (size_t n = 1; n < node.parts.size(); n++)
        add(node.parts[n]);
    return found;
}

void Reading::typed_list(
    const Text &text, const Node &part, size_t first,
    const std::function<void(const Node &, const TypeSet &)> &each)
{
    for (size_t n = first, end; n < part.parts.size(); n = end) {
        TypeSet found{0};
        size_t names = n;

        while (names < part.parts.size() && part.parts[names].word != "-")
            text.word(part.parts[names++], "something with a type");
        end = names;
        if (names < part.parts.size()) {
            if (names == n || names + 1 == part.parts.size())
                text.fail(part.parts[names],
                          "names should stand before '-', and a type behind it",
                          "write: name name - type");
            found = type_of(text, part.parts[names + 1]);
            end = names + 2;
        }
        for (size_t name = n; name < names; name++)
            each(part.parts[name], found);
    }
}

void Reading::add_objects(const Text &text, const Node &part)
{
    typed_list(text, part, 1, [&](const Node &node, const TypeSet &of) {
        auto known = objects.find(text.name(node, "an object"));

        if (known == objects.end()) {
            objects[node.word] = (int)task.objects.size();
            task.objects.push_back({node.word, of});
        } else if (task.objects[(size_t)known->second].types != of) {
            text.fail(node,
                      "object '" + node.word +
                          "' was declared before, with another type",
                      "give one of the two another name");
        }
    });
}

static Predicate declaration(const Text &text, const Node &node, Reading &names)
{
    text.list(node, "a declaration such as (on ?a ?b)");
    if (node.parts.empty())
        text.fail(node, "an empty declaration", "name what is declared");
    Predicate found{text.name(node.parts[0], "a predicate"), {}};

    names.typed_list(text, node, 1, [&](const Node &one, const TypeSet &of) {
        if (one.word[0] != '?')
            text.fail(one,
                      "a parameter begins with '?', unlike '" + one.word + "'",
                      "write ?" + one.word);
        found.parameters.push_back(of);
    });
    return found;
}

void Reading::add_predicates(const Text &text, const Node &part)
{
    for (size_t n = 1; n < part.parts.size(); n++) {
        Predicate found = declaration(text, part.parts[n], *this);

        if (!predicates.emplace(found.name, (int)task.predicates.size()).second)
            text.fail(part.parts[n].parts[0],
                      "predicate '" + found.name + "' is declared twice",
                      "delete one of the two");
        task.predicates.push_back(std::move(found));
    }
}

void Reading::add_functions(const Text &text, const Node &part)
{
    for (size_t n = 1; n < part.parts.size(); n++) {
        const Node &node = part.parts[n];

        if (node.word == "-") {
            if (n + 1 == part.parts.size() ||
                part.parts[n + 1].word != "number")
                text.fail(node, "functions are numbers", "write: - number");
            n++;
            continue;
        }
        Predicate found = declaration(text, node, *this);

        if (found.name == "total-cost" && found.parameters.empty()) {
            task.has_total_cost = true;
            continue;
        }
        if (!functions.emplace(found.name, (int)task.functions.size()).second)
            text.fail(node, "function '" + found.name + "' is declared twice",
                      "delete one of the two");
        task.functions.push_back(std::move(found));
    }
    task.values.resize(task.functions.size());
}
} // namespace planner
