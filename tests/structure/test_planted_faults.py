"""Each house rule notices what it is for: a fault is planted into the house, its rule sees it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from house import crates, documents, lengths, libraries, ratchet, rooms
from house.files import House, the_house
from house.functions import functions
from house.rooms import Tree

TREES = rooms.read_trees()
SYSTEMS = next(tree for tree in TREES if tree.root == "systems")
C_LINES = "    x++;\n"
BODIES = {
    "guest/kernel/lib/planted.c": "int planted(int x)\n{\n" + C_LINES * 150 + "    return x;\n}\n",
    "systems/mesh/memory/planted.cpp": (
        "namespace mesh {\nint Space::planted(int x) const\n{\n" + C_LINES * 80 + "}\n}\n"
    ),
    "crates/cache/src/planted.rs": (
        "impl Cache {\n    fn planted(&self) {\n" + "        a();\n" * 80 + "    }\n}\n"
    ),
    "python/rockcreek/planted.py": "def planted() -> None:\n" + "    print()\n" * 80,
}
BEGINNINGS = {
    "crates/cache/src/planted.rs": "/// The same of another way.\nfn planted() {}\n",
    "guest/kernel/lib/planted.h": "/* It is taken where nothing else is. */\nint planted(void);\n",
    "systems/mesh/memory/planted.cpp": "// That of the other one.\nint planted;\n",
    "python/rockcreek/planted.py": '"""Such names as nobody knows."""\n',
}


def plant(files: Mapping[str, str]) -> House:
    return the_house().plant(files)


def risen(rule: str, house: House) -> list[str]:
    return ratchet.risen(ratchet.RULES[rule](house), ratchet.listed()[rule])


@pytest.mark.parametrize(
    "line",
    [
        'fopen("/proc/rck/launch", "r");',
        'open("/dev/rckmpb", O_RDWR);',
        '__asm__(".byte 0x0F, 0x0A");',
        "while (!(*lock & SCC_CRB_LOCK_FREE));",
    ],
)
def test_a_system_with_its_own_way_to_the_chip(line: str) -> None:
    (found,) = risen("own_ways", plant({"systems/svm/owner/planted.c": line}))
    assert found.startswith("systems/svm/owner/planted.c: 1")
    assert not risen("own_ways", plant({"guest/scc/core/planted.c": line}))


def test_a_room_that_grows() -> None:
    for folder, suffix, count in (("crates/cache/src/path", "rs", 30), ("systems/rckmpi", "c", 40)):
        files = {f"{folder}/planted_{i}.{suffix}": "" for i in range(count)}
        (found,) = risen("crowded_rooms", plant(files))
        assert found.startswith(f"{folder}: ")


def test_a_new_room_that_is_full() -> None:
    files = {f"systems/planted/planted_{i}.c": "" for i in range(16)}
    assert "systems/planted: 16, 0 allowed" in risen("crowded_rooms", plant(files))
    fifteen = dict(list(files.items())[1:])
    assert not risen("crowded_rooms", plant(fifteen))


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("systems/mesh/memory/planted.cpp", 1200),
        ("guest/kernel/lib/planted.c", 301),
        ("systems/svm/owner/planted.h", 301),
        ("python/rockcreek/planted.py", 401),
        ("crates/cache/src/planted.rs", 401),
    ],
)
def test_a_file_that_is_too_long(path: str, lines: int) -> None:
    assert not lengths.too_long(plant({path: "\n" * (lines if lines < 302 else 300)}))[1:]
    (found,) = lengths.too_long(plant({path: "\n" * lines}))
    assert found.startswith(f"{path}: {lines} lines")


def test_an_exception_that_has_grown_or_is_not_needed() -> None:
    path, (most, _) = next(iter(lengths.LONG.items()))
    assert lengths.too_long(plant({path: "\n" * (most + 1)}))
    assert lengths.loose(plant({path: "\n" * 10}))


@pytest.mark.parametrize("path", BODIES)
def test_a_function_that_is_too_long(path: str) -> None:
    assert f"{path}: 1, 0 allowed" in risen("long_functions", plant({path: BODIES[path]}))


def test_functions_are_seen_whole() -> None:
    """Braces in texts, characters and comments count for nothing; nor do tables and types."""
    c = (
        "struct s { int x; };\nint t[] = { 1 };\n"
        "int f(void)\n{\n    a(\"{\"); /* { */\n    b('{');\n}\n"
    )
    assert list(functions("a.c", c)) == [("f", 5)]
    rust = (
        "fn f<'a>(x: &'a str) -> char {\n    // {\n    let _ = \"}\";\n    '{'\n}\n"
        "struct S { a: u8 }\n"
    )
    assert list(functions("a.rs", rust)) == [("f", 5)]
    cpp = "class A {\n    A() : x{1} {\n        f([&] {\n            g();\n        });\n    }\n};\n"
    assert list(functions("a.cpp", cpp)) == [("A", 5)]


@pytest.mark.parametrize("path", BEGINNINGS)
def test_a_comment_that_begins_with_another_things_name(path: str) -> None:
    house = plant({path: BEGINNINGS[path]})
    assert f"{path}: 1, 0 allowed" in risen("comment_beginnings", house)


def test_a_systems_private_header_in_another_system() -> None:
    house = plant({"systems/svm/planted.c": '#include "crf_private.h"\n'})
    (found,) = rooms.forbidden_imports(house, SYSTEMS)
    assert found == "svm imports crf: systems/svm/planted.c"


def test_a_circle_between_rooms_of_a_system() -> None:
    house = plant(
        {
            "systems/tcpip/link/planted.c": '#include "../stack/planted.h"\n',
            "systems/tcpip/stack/planted.h": "",
        }
    )
    (found,) = rooms.forbidden_imports(house, SYSTEMS)
    assert found.startswith("tcpip/link imports tcpip/stack: ")
    # And if somebody allows it in the table:
    allowed = {**SYSTEMS.rooms, "tcpip/link": ["tcpip/include", "tcpip/stack"]}
    now = rooms.circles([Tree("systems", "c", allowed)])
    assert ratchet.risen(now, ratchet.listed()["circles"]) == ["systems/tcpip: 3, 0 allowed"]


def test_an_import_that_the_table_allows_and_nothing_needs() -> None:
    more = Tree("systems", "c", {**SYSTEMS.rooms, "svm/owner": ["crf", "svm/include"]})
    assert rooms.spare_lines(the_house(), more) == ["svm/owner -> crf"]


def test_a_folder_or_a_crate_that_is_in_no_table() -> None:
    house = plant({"crates/planted/src/lib.rs": "", "crates/planted/Cargo.toml": ""})
    assert rooms.homeless(house, TREES) == ["crates/planted/src"]
    (found,) = crates.wrong_crates(house, crates.read_crates())
    assert found.startswith("planted: builds upon []")
    assert rooms.homeless(plant({"tools/planted.py": ""}), TREES) == ["tools"]
    assert rooms.wrong_rooms(plant({"systems/svm/deep/planted.c": ""}), SYSTEMS) == [
        "svm/deep: is not in the table"
    ]
    assert not rooms.homeless(plant({"crates/cache/tests/planted.rs": ""}), TREES)


def test_a_crate_that_builds_upon_one_above_it() -> None:
    path = "crates/mesh/Cargo.toml"
    line = 'rockcreek-cpu = { path = "../cpu" }\n'
    text = the_house().text(path).replace("[dependencies]\n", f"[dependencies]\n{line}")
    (found,) = crates.wrong_crates(plant({path: text}), crates.read_crates())
    assert found.startswith("mesh: builds upon ['cpu', 'defs']")


def test_a_guest_library_that_knows_a_system() -> None:
    house = plant({"guest/rcce/chip/planted.c": "#include <svm.h>\n"})
    assert libraries.upward(house) == ["guest/rcce/chip/planted.c includes svm.h"]


def test_a_weak_symbol_between_systems() -> None:
    line = "extern int tcpip_rank(void) __attribute__((weak));\n"
    for text in (line, "#pragma weak tcpip_rank\n"):
        house = plant({"systems/svm/planted.c": text})
        assert risen("weak_symbols", house) == ["systems/svm/planted.c: 1, 0 allowed"]
    assert not risen("weak_symbols", plant({"systems/svm/planted.c": f"/* {line} */\n"}))


def test_a_function_of_another_library_that_a_source_declares_itself() -> None:
    house = plant({"systems/tcpip/link/planted.c": "extern int stack_poll(void);\n"})
    assert risen("extern_functions", house) == ["systems/tcpip/link/planted.c: 1, 0 allowed"]


def test_a_parameter_that_is_a_tuple() -> None:
    """Nested types, closures and tests beside the code count for nothing."""
    for line in (
        "fn f(&self, (a, b): (u8, u16)) {}",
        "fn f<'a>(at: &'a (u32, u32)) -> bool {}",
        "#[cfg(test)]\nmod tests;\nfn f(at: (u32, u32)) {}",
    ):
        house = plant({"crates/mesh/src/planted.rs": line})
        assert risen("tuple_parameters", house) == ["crates/mesh/src/planted.rs: 1, 0 allowed"]
    tests = "#[cfg(test)]\nmod t { fn t(a: (u8, u8)) {} }"
    none = f"fn f(a: Vec<(u8, u8)>, g: impl Fn(u8, u8)) -> (u8, u8) {{}}\n{tests}"
    assert not risen("tuple_parameters", plant({"crates/mesh/src/planted.rs": none}))


def test_a_row_of_the_engine_without_a_name() -> None:
    path = "python/rockcreek/_native.pyi"
    text = the_house().text(path)
    house = plant({path: f"{text}\ndef planted() -> tuple[int, int]: ...\n"})
    assert risen("tuple_parameters", house) == [f"{path}: 1, 0 allowed"]


def test_a_dict_of_anything() -> None:
    house = plant({"python/rockcreek/planted.py": "def f(row: dict[str, Any]) -> None: ...\n"})
    assert risen("any_dicts", house) == ["python/rockcreek/planted.py: 1, 0 allowed"]


def test_a_room_that_says_nothing() -> None:
    assert "systems/planted: 1, 0 allowed" in risen(
        "silent_rooms", plant({"systems/planted/a.c": ""})
    )
    words = "# Planted\n\nWhat a planted system is for, in a sentence.\nAnd another one, as long.\n"
    house = plant({"systems/planted/a.c": "", "systems/planted/README.md": words})
    assert "systems/planted: 1, 0 allowed" not in risen("silent_rooms", house)


def test_a_count_that_fell_and_a_list_that_does_not_say_so() -> None:
    found, allowed = {"a": 1}, {"a": 2, "gone": 3}
    assert ratchet.fallen(found, allowed) == ["a: 1, 2 allowed", "gone: 0, 3 allowed"]
    path, count = next(iter(ratchet.listed()["weak_symbols"].items()))
    now = ratchet.RULES["weak_symbols"](plant({path: ""}))
    assert f"{path}: 0, {count} allowed" in ratchet.fallen(now, ratchet.listed()["weak_symbols"])


@pytest.mark.parametrize("table", ["The chip", "The engine", "Systems and tools", "The translator"])
def test_a_word_of_the_glossary_once_more(table: str) -> None:
    text = the_house().text("GLOSSARY.md")
    for word in ("slot", "Region", "reconcile"):
        head, tail = text.split(f"## {table}\n")
        row = f"| {word} | something else | `crates/mesh/src/mesh.rs` |\n"
        first = tail.index("| --- | --- | --- |\n") + len("| --- | --- | --- |\n")
        house = plant({"GLOSSARY.md": f"{head}## {table}\n{tail[:first]}{row}{tail[first:]}"})
        assert word.lower() in documents.twice(house)
        assert any(word in line for line in documents.nowhere(house)) or word == "slot"


def test_a_place_of_the_glossary_that_is_not_there() -> None:
    text = (
        the_house().text("GLOSSARY.md").replace("`crates/mesh/src/link.rs`", "`crates/mesh/gone`")
    )
    assert "flit: not in crates/mesh/gone" in documents.nowhere(plant({"GLOSSARY.md": text}))


def test_a_rule_whose_definition_and_copy_are_exchanged() -> None:
    head, rules = the_house().text(documents.RULES_PAGE).split(f"## {documents.RULES}\n")
    table = documents.rows(the_house(), documents.RULES_PAGE, documents.RULES)
    with_copies = [row for row in table if documents.named(row[2])]
    assert len(with_copies) > 15
    for rule, definition, copies, _ in with_copies:
        one, other = documents.named(definition)[0], documents.named(copies)[0]
        line = next(line for line in rules.splitlines() if line.startswith(f"| {rule} |"))
        swapped = line.replace(one, "\0").replace(other, one).replace("\0", other)
        text = f"{head}## {documents.RULES}\n{rules.replace(line, swapped)}"
        found = documents.exchanged(plant({documents.RULES_PAGE: text}))
        assert f"{rule}: {other} is a copy" in found
        assert f"{rule}: {one} is no copy" in found
