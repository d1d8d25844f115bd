"""The page of `rck view`: whole, with the run's own numbers, and with nothing from outside."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rockcreek
from rockcreek.cli import main
from rockcreek.errors import InputError
from rockcreek.pictures import die, timeline
from rockcreek.reading.sources import Sources
from rockcreek.view.page import build, lines

ROOT = Path(__file__).resolve().parents[2]
PROFILE: dict[str, Any] = {
    "program": {"name": "ring", "sha256": "0", "arguments": []},
    "clocks": "533/800/800",
    "time_ps": 9,
    "cores": [],
    "places": [
        {"image": "kernel", "function": "_start", "file": None, "line": None},
        {"image": "ring", "function": "main", "file": "/far/ring.c", "line": 7},
    ],
    "rows": [
        {"core": 0, "place": 0, "user": False, "causes": {"compute": 5}},
        {"core": 0, "place": 1, "user": True, "causes": {"compute": 5, "mpb": 7}},
        {"core": 1, "place": 1, "user": True, "causes": {"mpb": 3}},
    ],
}


@pytest.fixture(scope="module")
def run(compile_guest: Callable[..., Path]) -> dict[str, Any]:
    ring = compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"])
    more = {"power": True, "sample_every_ps": 10**8}
    return rockcreek.run(ring, ["3"], n=3, messages=True, **more).check().to_dict()


def framed(page: str) -> str:
    """The view in its frame."""
    found = re.search(r'srcdoc="([^"]*)"', page)
    assert found
    return html.unescape(found[1])


def data_of(page: str) -> dict[str, Any]:
    found = re.search(
        r'<script type="application/json" id="data">(.*?)</script>', framed(page), re.S
    )
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_programs_own_lines_come_first() -> None:
    places = [
        {"image": "ring", "function": "send", "file": "./guest/rcce/messages/send.c", "line": 1},
        {"image": "ring", "function": "strtok", "file": None, "line": None},
        *PROFILE["places"],
    ]
    rows = [
        {"core": 0, "place": n, "user": True, "causes": {"compute": 9 - n}}
        for n in range(len(places))
    ]
    found = lines({**PROFILE, "places": places, "rows": rows}, Sources([]))["rows"]
    names = [row["where"].split(" ")[0] for row in found]
    assert names == ["main", "send", "strtok", "_start"]


def test_the_page_holds_the_run(run: dict[str, Any]) -> None:
    data = data_of(build(run, PROFILE))
    assert [one["core"] for one in data["cores"]] == [0, 1, 2]
    counters = run["statistics"]["cores"][1]
    assert data["cores"][1]["values"]["ipc"] == pytest.approx(
        counters["core"]["instructions"] / counters["cycles"]
    )
    assert data["messages"] == run["messages"]["messages"]
    assert len(data["links"]) == data["columns"] * data["rows"] == 24
    # Energy since the first sample is the power's integral.
    samples = run["energy"]["samples"]
    start, joules = samples["start_ps"], 0.0
    for end, watts in data["power"]:
        joules += watts * (end - start) * 1e-12
        start = end
    assert joules == pytest.approx(sum(map(sum, samples["domains_fj"])) * 1e-15)


def test_lines_add_up() -> None:
    assert lines(PROFILE, Sources([])) == {
        "cycles": 20,
        "rows": [
            {"where": "main (ring, ring.c:7)", "text": "", "causes": {"compute": 5, "mpb": 10}},
            {"where": "_start (kernel)", "text": "", "causes": {"compute": 5}},
        ],
    }


def line_of(file: Path | str, folder: Path, number: Any = 1) -> str:
    """The text that the page shows of a file, if sources of this folder may be shown."""
    place = {"image": "a", "function": "main", "file": str(file), "line": number}
    rows = [{"core": 0, "place": 0, "user": True, "causes": {"compute": 5}}]
    found = lines({"places": [place], "rows": rows}, Sources([folder]))
    return str(found["rows"][0]["text"])


def test_lines_show_their_text(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text('int main(void)\n{\n    return spin("<b>");\n}\n')
    assert line_of(source, tmp_path, 3) == 'return spin("<b>");'


def test_no_other_file_is_shown(tmp_path: Path) -> None:
    """Whatever a debug line names: only sources of the folder, with all links resolved."""
    mine, secret = tmp_path / "mine", tmp_path / "secret.c"
    mine.mkdir()
    secret.write_text("secret\n")
    for name in ("passwd", ".hidden.c", ".git/a.c", "a.c"):
        (mine / name).parent.mkdir(exist_ok=True)
        (mine / name).write_text("text\n")
    (mine / "link.c").symlink_to(secret)
    (mine / "out").symlink_to(tmp_path)
    os.mkfifo(mine / "pipe.c")
    assert line_of(mine / "a.c", mine) == "text"
    assert line_of(mine / "out/mine/a.c", mine) == "text"
    outside = ["/etc/passwd", secret, mine / "../secret.c", mine / "link.c", mine / "out/secret.c"]
    for file in [*outside, mine / "passwd", mine / ".hidden.c", mine / ".git/a.c", mine / "pipe.c",
                 mine, mine / "gone.c", "a.c", "\0", "x" * 9999]:  # fmt: skip
        assert line_of(file, mine) == "", file
    for number in ("1", 1.5, -1, 2**70, None, [1]):
        assert line_of(mine / "a.c", mine, number) == ""


def test_a_debug_line_opens_no_file(
    tmp_path: Path, compile_guest: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a guest's source to the page, from the root of all folders."""
    source, profile = tmp_path / "evil.c", tmp_path / "p.json"
    source.write_text('#line 1 "/etc/passwd"\nint main(void){volatile int n=999;while(n--);}\n')
    done = rockcreek.run(compile_guest(source), profile=profile).check()
    result, page = tmp_path / "r.json", tmp_path / "r.html"
    result.write_text(done.to_json())
    monkeypatch.chdir("/")
    arguments = ["view", str(result), "--profile", str(profile), "--output", str(page)]
    assert main(arguments) == 0
    rows = data_of(page.read_text())["lines"]["rows"]
    assert any("passwd:1" in row["where"] for row in rows)
    assert not any(row["text"] for row in rows)


def test_moments_add_up_to_the_run(run: dict[str, Any]) -> None:
    data = data_of(build(run))
    seen = data["moments"]
    ends = [end for _, end in seen["spans"]]
    assert ends == sorted(ends) and ends[-1] == run["time_ps"]
    for n, core in enumerate(data["cores"]):
        whole = core["values"]["instructions"]
        assert sum(values[n] for values in seen["values"]["instructions"]) == pytest.approx(
            whole, rel=1e-3
        )
    carried = sum(flits for links in seen["links"] for *_, flits in links)
    ways = ("east", "west", "north", "south")
    assert carried == sum(link[way] for link in data["links"] for way in ways)


def test_nothing_from_outside(run: dict[str, Any]) -> None:
    page = build(run, PROFILE)
    assert not re.search(r"https?:|//[a-z0-9.-]+\.[a-z]|@import|url\((?!#)|<link|<img|src=", page)
    assert "default-src 'none'" in page


def test_scripts_make_no_markup() -> None:
    """Data become part of the page in `dom.js` alone; and no script leads anywhere."""
    folder = ROOT / "python/rockcreek/view"
    for path in folder.glob("*.js"):
        text = path.read_text()
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|createContextualFragment|DOMParser|"
            r"setHTML|srcdoc|\beval\b|Function\(|setTimeout\(|location|import\(|fetch|XMLHttp|href",
            text.replace("colours.js", ""),
        ), path.name
        assert path.name == "dom.js" or "createElement" not in text, path.name
    for path in folder.glob("*.html"):
        assert not re.search(r"\son\w+=|style=", path.read_text()), path.name


def test_only_its_own_scripts_run(run: dict[str, Any]) -> None:
    page = build(run)
    for document in (page, framed(page)):
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', document)
        assert policy
        assert "unsafe" not in policy[1]
        assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
        for kind, content in re.findall(r"<(script|style)>(.*?)</\1>", document, re.S):
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            assert re.search(rf"{kind}-src [^;]*'sha256-{re.escape(digest)}'", policy[1])
    assert re.search(r'<iframe sandbox="allow-scripts" ', page)
    assert "<script" not in page.replace(html.escape(framed(page)), "")


def test_no_text_leaves_its_place(run: dict[str, Any]) -> None:
    evil = "</script><script>alert(1)</script>@SCRIPT@@TITLE@\"'"
    page = build({**run, "program": {**run["program"], "name": evil}})
    assert "<script>alert" not in page
    assert "<script>alert" not in framed(page)
    assert data_of(page)["program"] == evil


def places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where each value of a document stands; of a list, in its first item."""
    yield path
    items = document.items() if isinstance(document, dict) else []
    items = list(enumerate(document[:1])) if isinstance(document, list) else items
    for key, value in items:
        yield from places(value, (*path, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = document.copy()
    copy[path[0]] = changed(copy[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize(
    "value", [{"a": 1}, [], "<img src=x onerror=alert(1)>", None, True, -1, 1e999, 2**70, [[]]]
)
def test_values_of_another_kind(run: dict[str, Any], value: Any) -> None:
    """Each place of a result, and of a profile, in turn: a page that holds the kinds it should, or
    an error in words."""
    for document, use in ((run, build), (PROFILE, lambda profile: build(run, profile))):
        for path in places(document):
            if path and path[0] != "host":
                with contextlib.suppress(InputError):
                    use(changed(document, path, value))


def test_a_core_that_is_a_text(run: dict[str, Any]) -> None:
    """Counters as an object whose keys are markup."""
    evil = "<img src=x onerror=alert(1)>"
    counters = run["statistics"]["cores"]
    cores = [{**run["cores"][0], "core": evil}]
    hostile = {**run, "cores": cores, "energy": None, "samples": None}
    hostile["statistics"] = {**run["statistics"], "cores": {evil: counters[0]}}
    with pytest.raises(InputError, match=r"cores\[0\]\.core must be a number"):
        build(hostile)


def test_command(run: dict[str, Any], tmp_path: Path) -> None:
    result, page, profile = (tmp_path / name for name in ("r.json", "r.html", "p.json"))
    result.write_text(json.dumps(run))
    assert main(["view", str(result), "--output", str(page)]) == 0
    assert data_of(page.read_text())["lines"] is None
    assert main(["view", str(result), "--output", str(page)]) == 74
    head = {"schema": {"name": "rockcreek-profile", "version": 1}}
    for state_hash, code in ((run["state_hash"], 0), ("0", 65)):
        profile.write_text(json.dumps({**head, **PROFILE, "state_hash": state_hash}))
        more = ["--force", "--profile", str(profile)]
        assert main(["view", str(result), "--output", str(page), *more]) == code


def test_pictures_hold_no_markup_of_a_result(run: dict[str, Any]) -> None:
    evil = "<img src=x onerror=alert(1)>"
    changes = {("program", "name"): evil, ("cores", 0, "reason"): evil}
    counters = run["statistics"]["cores"]
    named = {**run, "cores": [{**run["cores"][0], "core": evil}], "samples": None, "marks": []}
    named["statistics"] = {**run["statistics"], "cores": {evil: counters[0]}}
    hostile = [named, {**run, "marks": [{"time_ps": 1, "core": 0, "id": evil}]}]
    hostile += [changed(run, path, value) for path, value in changes.items()]
    for result in hostile:
        for picture in (die.draw(result), timeline.draw(result)):
            assert "<img" not in picture


def test_a_run_writes_its_page_in_one(
    compile_guest: Callable[..., Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ring = compile_guest(ROOT / "examples/ring/ring.c", ["-lrcce"])
    page = tmp_path / "p.html"
    assert main(["run", "-q", "-n", "3", "--view", str(page), str(ring), "3"]) == 0
    data = data_of(page.read_text())
    assert [one["core"] for one in data["cores"]] == [0, 1, 2]
    assert len(data["moments"]["spans"]) > 1 and data["messages"], "it samples, counts messages"
    capfd.readouterr()
    assert main(["run", "-q", "-n", "3", "--view", str(page), str(ring), "3"]) == 74
    assert str(page) in capfd.readouterr().err, "the old page stays"
