/*
 * domain.cpp: (define (domain NAME) ...).
 */
#include <algorithm>
#include <set>

#include "pddl/names.h"

namespace planner
{
namespace
{
/* (increase (total-cost) 1) or (increase (total-cost) (distance ?a ?b)) */
void read_cost(const Text &text, const Node &node, const Scope &scope,
               Reading &names, Schema &schema)
{
    if (node.parts.size() != 3 || !node.parts[1].is_list() ||
        node.parts[1].parts.size() != 1 ||
        !node.parts[1].starts_with("total-cost"))
        text.fail(node, "only the total cost may be increased",
                  "write (increase (total-cost) ...), or use a planner with"
                  " numeric fluents");
    if (!names.task.has_total_cost)
        text.fail(node.parts[1], "undeclared function 'total-cost'",
                  "declare it: (:functions (total-cost) - number)");
    Price price{-1, 0, {}};

    if (node.parts[2].is_list())
        price.function =
            names.function(text, node.parts[2], &scope, price.arguments);
    else
        price.number = names.number(text, node.parts[2]);
    schema.cost.push_back(std::move(price));
}

void read_effect(const Text &text, const Node &node, const Scope &scope,
                 Reading &names, Schema &schema)
{
    text.list(node, "an effect");
    if (node.starts_with("and")) {
        for (size_t n = 1; n < node.parts.size(); n++)
            read_effect(text, node.parts[n], scope, names, schema);
        return;
    }
    if (node.starts_with("increase")) {
        read_cost(text, node, scope, names, schema);
        return;
    }
    size_t before = schema.effects.size();

    names.formula(text, node, &scope, "an effect", schema.effects);
    for (size_t n = before; n < schema.effects.size(); n++)
        if (schema.effects[n].predicate == EQUALS)
            text.fail(node, "an effect cannot change '='",
                      "name another predicate");
}

void read_parameters(const Text &text, const Node &node, Reading &names,
                     Scope &scope)
{
    text.list(node, "parameters");
    names.typed_list(text, node, 0, [&](const Node &one, const TypeSet &of) {
        if (one.word[0] != '?')
            text.fail(one,
                      "a parameter begins with '?', unlike '" + one.word + "'",
                      "write ?" + one.word);
        if (!scope.names.emplace(one.word, (int)scope.types.size()).second)
            text.fail(one, "parameter '" + one.word + "' stands twice",
                      "give one of the two another name");
        scope.types.push_back(of);
    });
}

void read_action(const Text &text, const Node &part, Reading &names)
{
    if (part.parts.size() < 2)
        text.fail(part, "an action without a name", "write (:action name ...)");
    Schema schema;
    Scope scope;
    const Node *before = nullptr, *effect = nullptr;
    std::set<std::string> seen;

    schema.name = text.name(part.parts[1], "an action");
    for (const Schema &other : names.task.schemas)
        if (other.name == schema.name)
            text.fail(part.parts[1],
                      "action '" + schema.name + "' is there twice",
                      "give one of the two another name");
    for (size_t n = 2; n < part.parts.size(); n += 2) {
        const std::string &key =
            text.word(part.parts[n], "a part of an action");

        if (n + 1 == part.parts.size())
            text.fail(part.parts[n], "nothing stands behind '" + key + "'",
                      "add what it is");
        if (!seen.insert(key).second)
            text.fail(part.parts[n],
                      "'" + key + "' is there twice in this action",
                      "join the two");
        if (key == ":parameters")
            read_parameters(text, part.parts[n + 1], names, scope);
        else if (key == ":precondition")
            before = &part.parts[n + 1];
        else if (key == ":effect")
            effect = &part.parts[n + 1];
        else
            text.fail(part.parts[n],
                      "'" + key + "' is no part of an action here",
                      "an action has :parameters, :precondition and :effect");
    }
    if (before)
        names.formula(text, *before, &scope, "a condition", schema.before);
    if (effect)
        read_effect(text, *effect, scope, names, schema);
    schema.parameters = std::move(scope.types);
    names.task.schemas.push_back(std::move(schema));
}

void read_part(const Text &text, const Node &part, Reading &names)
{
    if (part.starts_with(":requirements"))
        names.requirements(text, part);
    else if (part.starts_with(":types"))
        read_types(text, part, names);
    else if (part.starts_with(":constants"))
        names.add_objects(text, part);
    else if (part.starts_with(":predicates"))
        names.add_predicates(text, part);
    else if (part.starts_with(":functions"))
        names.add_functions(text, part);
    else if (part.starts_with(":durative-action"))
        text.fail(part.parts[0], "durative actions are not supported",
                  "use (:action ...), or a temporal planner");
    else if (part.starts_with(":derived"))
        text.fail(part.parts[0],
                  "derived predicates (axioms) are not supported",
                  "write what they say as preconditions");
    else
        text.fail_part(part, "a domain",
                       "a domain has :requirements, :types, :constants,"
                       " :predicates, :functions and :action");
}

/* When a part is read: each uses what those before it declare, wherever they
 * stand in the file. */
int turn_of(const Node &part)
{
    constexpr const char *FIRST[] = {":types", ":constants"};
    int turn = 0;

    for (const char *name : FIRST) {
        if (part.starts_with(name))
            return turn;
        turn++;
    }
    return part.starts_with(":action") ? turn + 1 : turn;
}
constexpr int TURNS = 4;
} // namespace

void read_domain(const Text &text, Reading &names)
{
    const std::vector<Node> &parts = text.root().parts;
    std::set<std::string> seen;

    if (parts.size() < 2 || !parts[1].starts_with("domain") ||
        parts[1].parts.size() != 2)
        text.fail(parts.size() < 2 ? text.root() : parts[1],
                  "(domain NAME) should stand here",
                  "the first file is the domain, the second one the problem");
    names.task.domain = text.word(parts[1].parts[1], "a domain");
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t n = 2; n < parts.size(); n++) {
            const Node &part = text.list(parts[n], "a part of the domain");

            if (turn_of(part) != turn)
                continue;
            if (part.starts_with(":action")) {
                read_action(text, part, names);
                continue;
            }
            read_part(text, part, names);
            if (!seen.insert(part.parts[0].word).second)
                text.fail(part, "'" + part.parts[0].word + "' is there twice",
                          "join the two");
        }
}
} // namespace planner
