"""The house rules over every tracked file: `house` has the rules, `ratchet.toml` today's offenders.

Each list may only get shorter. `python tests/structure/lower_ratchet.py` writes counts that fell.
"""

from __future__ import annotations

import pytest

from house import documents, lengths, ratchet
from house.files import the_house

LISTED = ratchet.listed()


@pytest.mark.parametrize("rule", ratchet.RULES)
def test_nothing_breaks_a_rule_more_often_than_listed(rule: str) -> None:
    found, allowed = ratchet.RULES[rule](the_house()), LISTED.get(rule, {})
    risen = ratchet.risen(found, allowed)
    assert not risen, f"{ratchet.MEANING[rule]}: mend these:\n" + "\n".join(risen)
    fallen = ratchet.fallen(found, allowed)
    assert not fallen, "`python tests/structure/lower_ratchet.py`:\n" + "\n".join(fallen)


def test_the_list_names_known_rules() -> None:
    assert set(LISTED) == set(ratchet.RULES) == set(ratchet.MEANING)


def test_files_fit() -> None:
    found = lengths.too_long(the_house())
    assert not found, "split these, or say why not in long_files.toml:\n" + "\n".join(found)


def test_exceptions_are_still_needed() -> None:
    found = lengths.loose(the_house())
    assert not found, "lower or remove these in long_files.toml:\n" + "\n".join(found)


def test_the_glossary_is_the_codes() -> None:
    assert not documents.nowhere(the_house())


def test_a_word_of_the_glossary_means_one_thing() -> None:
    assert not documents.twice(the_house())


def test_definitions_and_copies_of_the_chips_rules_are_not_exchanged() -> None:
    assert not documents.exchanged(the_house())
