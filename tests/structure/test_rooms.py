"""The folders of the project as rooms: what each may import, and that none is left out.

`rooms.toml` is the one table. An import that it does not allow fails, and so does a line of it that
no import needs, a room or a crate that is not in it, and one that is in it and not there.
"""

from __future__ import annotations

import pytest

from house import crates, libraries, rooms
from house.files import the_house
from house.rooms import Tree

TREES = rooms.read_trees()
each_tree = pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.root)


def test_every_folder_of_code_is_in_a_tree() -> None:
    assert not rooms.homeless(the_house(), TREES), (
        "give these a place in tests/structure/rooms.toml"
    )


@each_tree
def test_rooms_are_in_the_table(tree: Tree) -> None:
    assert not rooms.wrong_rooms(the_house(), tree)


@each_tree
def test_imports_go_the_allowed_ways(tree: Tree) -> None:
    wrong = rooms.forbidden_imports(the_house(), tree)
    assert not wrong, "\n".join(wrong)


@each_tree
def test_the_table_has_no_more_than_what_is_used(tree: Tree) -> None:
    spare = rooms.spare_lines(the_house(), tree)
    assert not spare, "\n".join(spare)


def test_crates_build_upon_what_the_table_says() -> None:
    wrong = crates.wrong_crates(the_house(), crates.read_crates())
    assert not wrong, "\n".join(wrong)


def test_crates_point_one_way() -> None:
    table = crates.read_crates()
    for crate in table:
        assert crate not in crates.below(table, crate), f"{crate} builds upon itself"
    # Only `chip` knows all blocks; `cpu` never sees the mesh, nor the mesh x86.
    blocks = {"cache", "cpu", "mesh", "memory", "tile", "board", "x87"}
    assert [crate for crate, used in table.items() if blocks <= {*used, "x87"}] == ["chip"]
    assert crates.below(table, "cpu") == {"defs", "cache", "x87"}
    assert crates.below(table, "mesh") == {"defs"}
    assert not any("python" in used for used in table.values())


def test_the_guest_knows_no_system() -> None:
    assert not libraries.upward(the_house())
