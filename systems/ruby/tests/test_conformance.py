"""How `make ruby-conformance` reads what tests said, without Ruby."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "conformance"))

import ruby_page
import suites

TOLD = """\
test_io.rb
#1 test_io.rb:1:in `<top (required)>' . 0.265
#2 test_io.rb:9:in `<top (required)>' F 0.100
stderr output is not empty
   fork() function is unimplemented
#3 test_io.rb:12:in `<top (required)>' . 0.090

#2 test_io.rb:9:in `<top (required)>': fork {} #=> "" (expected "ok")
FAIL 1/3 tests failed
"""


def test_snippets_and_what_they_said() -> None:
    results = suites.read_snippets(TOLD)
    assert [one["outcome"] for one in results] == ["passed", "failed", "passed"]
    assert results[1]["test"] == "test_io.rb:9 #2"
    assert 'expected "ok"' in results[1]["said"]
    assert "fork() function is unimplemented" in results[1]["said"]


def test_a_runner_that_did_not_end_is_told() -> None:
    assert suites.read_snippets(TOLD.partition("\n#3")[0])[-1]["test"] == "the end"


def test_a_test_that_ended_the_interpreter_is_open() -> None:
    results: dict[str, suites.Result] = {}
    told = "begin\tA#a\nend\tA#a\tskipped\tno\nbegin\tA#b\n"
    assert suites.read_told(told, results) == ("A#b", 1)
    assert results["A#a"]["outcome"] == "skipped"


def test_each_file_is_told_with_its_commit() -> None:
    units = [
        {"suite": "test/drb", "file": "test_acl.rb", "commit": "a1"},
        {"suite": "test/ruby", "file": "test_gc.rb", "commit": "a1"},
        {"suite": "test/ruby", "file": "test_io.rb", "commit": "b2"},
    ]
    assert ruby_page.commits(units)[-2:] == [
        "| a1 | test/drb: all above; test/ruby: test_gc |",
        "| b2 | test/ruby: test_io |",
    ]


def test_reasons_are_found_by_what_was_said() -> None:
    table = [{"says": "no fork", "why": "processes"}, {"file": "test/ruby/", "why": "all"}]
    test = {"test": "A#a", "said": "there is no fork"}
    assert ruby_page.reason("test/drb", "test_drb.rb", test, table) == "processes"
    assert ruby_page.reason("test/ruby", "a.rb", {"test": "A#a", "said": ""}, table) == "all"
    assert ruby_page.reason("test/drb", "a.rb", {"test": "A#a", "said": ""}, table) is None
