"""What the planner's reader refuses: place, words and hint; and that nothing crashes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from systems.planner.tests import native

DOMAIN = """(define (domain d)
  (:requirements :strips :typing)
  (:types a b)
  (:constants k - a)
  (:predicates (p ?x - a) (q))
  (:action go
    :parameters (?x - a)
    :precondition (p ?x)
    :effect (and (q) (not (p ?x)))))
"""
PROBLEM = """(define (problem x)
  (:domain d)
  (:objects o - a)
  (:init (p o))
  (:goal (q)))
"""
# In the domain: what is replaced, by what, the place and the words of the error, its hint.
IN_DOMAIN = [
    (":typing", ":fluents", "2:26: unknown requirement ':fluents'", "the planner knows :strips"),
    ("(p ?x)", "(or (p ?x) (q))", "8:20: a disjunction", "several actions"),
    ("(p ?x)", "(forall (?y) (p ?y))", "8:20: a universal condition", "several actions"),
    ("(q) (not", "(when (q) (q)) (not", "9:19: a conditional effect", "several actions"),
    (":action go", ":durative-action go", "6:4: durative actions", "temporal planner"),
    ("(:action go", "(:derived (q) (p k)) (:action go", "6:4: derived predicates", "preconditions"),
    ("(q) (not", "(increase (fuel) 1) (not", "9:18: only the total cost", "numeric"),
    ("(q) (not", "(increase (total-cost) 1) (not", "9:28: undeclared function", "declare it"),
    (":precondition (p ?x)", ":precondition (p ?x k)", "8:19: 'p' has 1 arguments, not 2", "see"),
    (":precondition (p ?x)", ":precondition (r ?x)", "8:20: undeclared predicate 'r'", "declare"),
    (":precondition (p ?x)", ":precondition (p z)", "8:22: undeclared object 'z'", "declare"),
    (":precondition (p ?x)", ":precondition (p ?z)", "8:22: '?z' is no parameter", ":parameters"),
    ("(?x - a)\n", "(?x - c)\n", "7:23: undeclared type 'c'", "declare it in (:types"),
    ("(:types a b)", "(:types a - b b - a)", "3:3: the types go in a circle", "delete one"),
    ("(:predicates (p ?x - a)", "(:predicates (p) (p ?x - a)", "5:21: predicate 'p'", "delete"),
    ("(:action go", "(:action go :effect (q)) (:action go", "6:37: action 'go'", "another name"),
    (":effect (and", ":effects (and", "9:5: ':effects' is no part of an action", ":parameters"),
    ("(p ?x)))))", "(p ?x))))", "1:1: this parenthesis is never closed", "count"),
    ("(p ?x)))))", "(p ?x))))))", "9:37: this parenthesis closes nothing", "delete it"),
    ("(domain d)", "(problem d)", "1:9: (domain NAME) should stand here", "the first file"),
    ("(q) (not", "(= k k) (not", "9:18: an effect cannot change '='", "another predicate"),
    ("(q) (not", "(not (not (q))) (not", "9:18: 'not' has one atom", "write (not"),
    ("(q) (not", "(oneof (q) (q)) (not", "9:19: an effect by chance", "several actions"),
    (":effect (and", ":effect (q) :effect (and", "9:17: ':effect' is there twice", "join"),
    ("(:action go", "(:axiom) (:action go", "6:4: ':axiom' is no part of a domain", "a domain has"),
    ("k - a", "?k - a", "4:15: the name of an object begins without '?', unlike '?k'", "write k"),
    ("(:types a b", "(:types a ?b", "3:13: the name of a type begins without", "write b"),
    ("(q))\n  (:action go", "(?q))\n  (:action ?go", "5:28: the name of a predicate", "write q"),
    (":action go", ":action ?go", "6:12: the name of an action begins without '?'", "write go"),
    ("define", "\x01", "1:2: byte 1 is no character of PDDL", "ASCII"),
]
IN_PROBLEM = [
    ("(:domain d)", "(:domain e)", "2:3: this problem is of another domain than 'd'", "belong"),
    ("(p o)", "(p o o)", "4:10: 'p' has 1 arguments, not 2", "see"),
    ("(p o)", "(r o)", "4:11: undeclared predicate 'r'", "declare"),
    ("(p o)", "(at 5 (p o))", "4:10: a timed initial literal", "temporal planner"),
    ("(:goal", "(:constraints (and)) (:goal", "5:4: ':constraints' is no part", "a problem has"),
    ("o - a", "?o - a", "3:13: the name of an object begins without '?', unlike '?o'", "write o"),
    ("(p o)", "(p u)", "4:13: undeclared object 'u'", "declare"),
    ("o - a", "o - b", "4:13: object 'o' has not the type that 'p' asks for", "see"),
    ("(:goal (q))", "", "1:1: the problem has no (:goal ...)", "add it"),
    ("(:goal (q))", "(:goal (q)) (:metric maximize (q))", "5:15: the planner minimizes", "write"),
    ("(:goal (q))", "(:goal (q)) (:goal (q))", "5:15: ':goal' is there twice", "join"),
    ("(:goal (q))", "(:goal (p ?x))", "5:13: a parameter, '?x', where none", "name an object"),
]


@pytest.fixture(scope="session")
def planner() -> Path:
    return native.alone()


def _run(planner: Path, folder: Path, domain: bytes, problem: bytes) -> tuple[int, str]:
    (folder / "d.pddl").write_bytes(domain)
    (folder / "p.pddl").write_bytes(problem)
    done = native.run(planner, "d.pddl", "p.pddl", cwd=folder)
    return done.returncode, done.stderr


def test_the_good_ones_are_good(planner: Path, tmp_path: Path) -> None:
    code, said = _run(planner, tmp_path, DOMAIN.encode(), PROBLEM.encode())
    assert code == 0, said


@pytest.mark.parametrize(("old", "new", "error", "hint"), IN_DOMAIN)
def test_domains(planner: Path, tmp_path: Path, old: str, new: str, error: str, hint: str) -> None:
    assert old in DOMAIN
    domain = DOMAIN.replace(old, new, 1)
    code, said = _run(planner, tmp_path, domain.encode(), PROBLEM.encode())
    assert code == 65
    assert said.startswith(f"d.pddl:{error}")
    assert hint in said.split("\nhint: ")[1]


@pytest.mark.parametrize(("old", "new", "error", "hint"), IN_PROBLEM)
def test_problems(planner: Path, tmp_path: Path, old: str, new: str, error: str, hint: str) -> None:
    assert old in PROBLEM
    problem = PROBLEM.replace(old, new, 1)
    code, said = _run(planner, tmp_path, DOMAIN.encode(), problem.encode())
    assert code == 65
    assert said.startswith(f"p.pddl:{error}")
    assert hint in said.split("\nhint: ")[1]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "d.pddl:1:1: the file is empty"),
        (b"; a comment\n", "d.pddl:1:1: the file is empty"),
        (bytes(range(256)), "d.pddl:1:1: byte 0 is no character of PDDL"),
        (b"(" * 8_000_000, "d.pddl:1:101: parentheses are nested more than 100 deep"),
        (b"(" * 10_000_000, "d.pddl: the file has more than 8 MB"),
        (b"()" * 100_000, "d.pddl:1:1: a PDDL file begins with (define"),
        (b"x", "d.pddl:1:1: a PDDL file begins with (define"),
    ],
    ids=["empty", "comment", "binary", "8MB", "10MB", "lists", "word"],
)
def test_no_pddl_at_all(planner: Path, tmp_path: Path, content: bytes, error: str) -> None:
    code, said = _run(planner, tmp_path, content, PROBLEM.encode())
    assert (code, said[: len(error)]) == (65, error)


def test_a_missing_file_and_wrong_words(planner: Path, tmp_path: Path) -> None:
    done = native.run(planner, "none.pddl", "none.pddl", cwd=tmp_path)
    assert done.returncode == 65
    assert done.stderr.startswith("none.pddl: No such file or directory\nhint: ")
    for words, said in (
        ([], "a domain and a problem are needed"),
        (["a", "b", "c"], "'c' is one file too many"),
        (["--weight", "x", "a", "b"], "--weight x: a number from 0 to 1000"),
        (["--limit", "0", "a", "b"], "--limit 0: seconds of the chip"),
        (["--bogus"], "there is no option --bogus"),
        (["--output"], "--output needs a value"),
    ):
        done = native.run(planner, *words, cwd=tmp_path)
        assert done.returncode == 65
        assert said in done.stderr
