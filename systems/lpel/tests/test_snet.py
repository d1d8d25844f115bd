"""Texts of networks: an error in one is reported with line and column."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from rockcreek.reading.notation import NotationError

snet = import_module("systems.lpel.snet")  # beside a folder of this name

BOXES = "box a ((x) -> (y)); box b ((y, <t>) -> (x) | (<done>));\n"
MANY = ", ".join(f"x{n}" for n in range(64))
DOUBLED = "".join(f"net n{n + 1} = n{n} .. n{n};\n" for n in range(40))

WRONG = [
    # Signs and words.
    ("", "line 1, column 1: no net 'main'"),
    ("frog", "line 1, column 1: 'box' or 'net' should stand here, not 'frog'"),
    (BOXES + "net main = a ? b;", "line 2, column 14: unexpected '?'"),
    (BOXES + "net main = a . b;", "line 2, column 14: unexpected '.'"),
    ("box caf\u00e9 ((x) -> (y));", "line 1, column 8: unexpected '\u00e9'"),
    ("# nothing\n\n  box", "line 3, column 6: the name of a box should stand here, where the text"),
    ("box net ((x) -> (y));", "line 1, column 5: the name of a box should stand before 'net'"),
    ("net = a;", "line 1, column 5: the name of a net should stand before '='"),
    # Boxes and their types.
    ("box a (x) -> (y);", "line 1, column 8: '(' should stand before 'x'"),
    ("box a ((x) (y)); net main = a;", "line 1, column 12: '->' should stand before '('"),
    ("box a ((x) -> (y))", "line 1, column 19: ';' should stand here, where the text ends"),
    ("box a ((x,) -> (y));", "line 1, column 11: the name of a label should stand before ')'"),
    ("box a ((x y) -> (y));", "line 1, column 11: ',' should stand before 'y'"),
    ("box a ((<x) -> (y));", "line 1, column 11: '>' should stand before ')'"),
    ("box a ((<>) -> (y));", "line 1, column 10: the name of a tag should stand before '>'"),
    ("box a (() -> (x)); net main = a;", "line 1, column 5: box 'a' takes nothing"),
    ("box a ((x) -> ());", "line 1, column 5: box 'a' gives out records without labels"),
    ("box a ((x, x) -> (y));", "line 1, column 8: a label stands there twice"),
    ("box a ((x) -> (<x>));", "line 1, column 16: a field and a tag are both called 'x': x at 1:9"),
    (f"box a (({MANY}) -> (y));", "line 1, column 314: 'x63' is label 64; at most 63"),
    ("box a ((STAR) -> (y));", "line 1, column 9: 'STAR' has another meaning in snet.h"),
    ("box while ((x) -> (y));", "line 1, column 5: 'while' is a word of C"),
    # Networks.
    (BOXES + "net a = b; net main = a;", "line 2, column 5: 'a' is defined twice"),
    ("net main = a;", "line 1, column 12: no box or net 'a' before this"),
    (BOXES + "net main = a .. c;", "line 2, column 17: no box or net 'c' before this"),
    (BOXES + "net one = two; net two = a;", "line 2, column 11: no box or net 'two' before this"),
    (BOXES + "net main = ;", "line 2, column 12: the name of a box or net should stand before ';'"),
    (BOXES + "net main = a .. ;", "line 2, column 17: the name of a box or net should stand"),
    (BOXES + "net main = a b;", "line 2, column 14: ';' should stand before 'b'"),
    (BOXES + "net main = a | b", "line 2, column 17: ';' should stand here, where the text"),
    (BOXES + "net main = (a | b;", "line 2, column 18: ')' should stand before ';'"),
    (BOXES + "net main = a);", "line 2, column 13: ';' should stand before ')'"),
    (BOXES + "net main = " + "(" * 101, "line 2, column 112: over 100 parentheses are open"),
    (BOXES + "net n0 = a;\n" + DOUBLED, "line 15, column 5: net 'n13' has 16383 parts; at most"),
    # Cycles, stars and splits.
    (
        BOXES + "net main = a .. main;",
        "line 2, column 17: net 'main' contains itself: a cycle with",
    ),
    (BOXES + "net main = a *;", "line 2, column 15: '{' should stand before ';'"),
    (BOXES + "net main = a * {};", "line 2, column 14: every record has the empty pattern"),
    (BOXES + "net main = a * {<done>};", "line 2, column 14: no box inside the star gives <done>"),
    (BOXES + "net main = a ! t;", "line 2, column 16: '<' should stand before 't': a split is by"),
    (BOXES + "net main = a ! <x>;", "line 2, column 16: a field and a tag are both called 'x'"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_wrong_networks_are_named(text: str, said: str) -> None:
    with pytest.raises(NotationError) as error:
        snet.parse(text)
    assert str(error.value).startswith(said)


def test_the_command_tells_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "bad.snet": b"net main = a;",
        "a.snet": b"box a ((x) -> (y)); net main = a;",
        "my-net.snet": b"box a ((x) -> (y)); net main = a;",
        "binary.snet": b"\xff\xfe",
    }
    told = {}
    for name, text in files.items():
        (tmp_path / name).write_bytes(text)
        assert snet.main([str(tmp_path / name), "--out", str(tmp_path)]) == 1
        told[name] = capsys.readouterr().err.removeprefix(f"snet: {tmp_path / name}: ")
    assert snet.main([str(tmp_path / "none.snet")]) == 1
    assert told["bad.snet"] == "line 1, column 12: no box or net 'a' before this\n"
    assert told["a.snet"] == "a box is called 'a' as the file is; rename one of them\n"
    assert told["my-net.snet"] == "'my-net' is no name for C; rename the file\n"
    assert "can't decode" in told["binary.snet"]
    assert "No such file" in capsys.readouterr().err


def test_a_network_is_shown_as_a_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tree.snet"
    path.write_text(BOXES + "net main = (a .. b .. a) * {<done>} ! <t>;")
    assert snet.main([str(path)]) == 0
    assert capsys.readouterr().out == (
        "split <t>\n  star <done>\n    serial\n      box a\n      box b\n      box a\n"
    )
