/*
 * words.cpp: options before or behind the two files.
 */
#include "words.h"

#include <cstdlib>

#include "pddl/text.h"

namespace planner
{
namespace
{
constexpr const char *USAGE =
    "planner [--weight W] [--limit S] [--anytime S] [--no-lookahead]"
    " [--ties SEED] [--independent] [--portfolio] [--owner hash|abstract]"
    " [--batch N] [--spread] [--memory MB] [--output FILE]"
    " [--report FILE] [--trace FILE] [--as DOMAIN PROBLEM]"
    " DOMAIN PROBLEM";

class Reader
{
  public:
    Reader(int argc, char **argv) : left_(argv + 1, argv + argc)
    {
    }

    Words read()
    {
        while (at_ < left_.size())
            if (left_[at_].rfind("--", 0) == 0)
                option(left_[at_++]);
            else
                file(left_[at_++]);
        if (words_.problem.empty())
            fail("a domain and a problem are needed");
        if (words_.independent && words_.sharing.portfolio)
            fail("--independent and --portfolio exclude each other");
        if (words_.shown_domain.empty()) {
            words_.shown_domain = words_.domain;
            words_.shown_problem = words_.problem;
        }
        return words_;
    }

  private:
    std::vector<std::string> left_;
    size_t at_ = 0;
    Words words_;

    [[noreturn]] static void fail(const std::string &message)
    {
        throw BadInput("planner: " + message, USAGE);
    }

    void file(const std::string &word)
    {
        if (!words_.problem.empty())
            fail("'" + word + "' is one file too many");
        (words_.domain.empty() ? words_.domain : words_.problem) = word;
    }

    std::string value(const std::string &option)
    {
        if (at_ == left_.size())
            fail(option + " needs a value");
        return left_[at_++];
    }

    uint32_t number(const std::string &option, uint32_t least, uint32_t most)
    {
        std::string word = value(option);
        char *end;
        unsigned long long found = std::strtoull(word.c_str(), &end, 10);

        if (word.empty() || word[0] < '0' || word[0] > '9' || *end ||
            found < least || found > most)
            fail(option + " " + word + ": a number from " +
                 std::to_string(least) + " to " + std::to_string(most) +
                 " should stand here");
        return (uint32_t)found;
    }

    uint64_t seconds(const std::string &option)
    {
        std::string word = value(option);
        char *end;
        double found = std::strtod(word.c_str(), &end);

        if (word.empty() || *end || !(found > 0 && found < 1e6))
            fail(option + " " + word + ": seconds of the chip, such as 0.5");
        return (uint64_t)(found * 1e9);
    }

    static Owning owning(const std::string &name)
    {
        if (name != "hash" && name != "abstract")
            fail("--owner " + name + ": hash or abstract should stand here");
        return name == "hash" ? Owning::HASH : Owning::ABSTRACT;
    }

    void option(const std::string &word)
    {
        if (word == "--weight") {
            words_.options.weight = number(word, 0, 1000);
        } else if (word == "--limit") {
            words_.limits.time_ns = seconds(word);
        } else if (word == "--anytime") {
            words_.limits.time_ns = seconds(word);
            words_.limits.anytime = true;
            words_.options.reopen = true;
        } else if (word == "--no-lookahead") {
            words_.options.lookahead = false;
        } else if (word == "--ties") {
            words_.options.has_ties = true;
            words_.options.ties = number(word, 0, UINT32_MAX);
        } else if (word == "--independent") {
            words_.independent = true;
        } else if (word == "--portfolio") {
            words_.sharing.portfolio = true;
        } else if (word == "--owner") {
            words_.sharing.owning = owning(value(word));
        } else if (word == "--batch") {
            words_.sharing.batch = number(word, 1, 64);
        } else if (word == "--spread") {
            words_.options.spread = true;
        } else if (word == "--memory") {
            words_.memory = (uint64_t)number(word, 1, 4096) << 20;
        } else if (word == "--output") {
            words_.output = value(word);
        } else if (word == "--report") {
            words_.report = value(word);
        } else if (word == "--trace") {
            words_.trace = value(word);
        } else if (word == "--as") {
            words_.shown_domain = value(word);
            words_.shown_problem = value(word);
        } else {
            fail("there is no option " + word);
        }
    }
};
} // namespace

Words read_words(int argc, char **argv)
{
    return Reader(argc, argv).read();
}
} // namespace planner
