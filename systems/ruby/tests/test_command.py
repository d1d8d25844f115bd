"""`rck ruby` without Ruby: what it says, and what the interpreter would be given."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rockcreek.errors import UsageError
from rockcreek.interpreters import ruby, ruby_linux, started
from rockcreek.toolchain import built

# Stands for the interpreter: shows its words, and what it sees of files.
STAND_IN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// As started.rb: waits for the instant, then shows the words that it finds.
static int go_on(double instant)
{
    struct timespec now;
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec + now.tv_nsec / 1e9 < instant);
    char words[200] = "";
    FILE *file = fopen("/started/words", "r");
    size_t bytes = file ? fread(words, 1, sizeof words, file) : 0;
    for (size_t n = 0; n < bytes; n++)
        putchar(words[n] ? words[n] : '|');
    printf(" %s %s\n", getenv("GIVEN") ? getenv("GIVEN") : "-",
           access("/script.rb", R_OK) ? "no script" : "script");
    return 4;
}

int main(int count, char **words)
{
    if (count > 2 && strstr(words[count - 2], "/started.rb"))
        return getenv("ENDS") ? 5 : go_on(atof(words[count - 1]));
    for (int n = 1; n < count; n++)
        printf("[%s]", words[n]);
    printf(" %s %s %s\n", access("/usr/lib/mark", R_OK) ? "no library" : "library",
           access("/script.rb", R_OK) ? "no script" : "script",
           getenv("GEM_HOME") ? getenv("GEM_HOME") : "no gems");
    return 3;
}
"""
OFF = "[-rrck]" + "".join(f"[--disable={part}]" for part in ruby.QUIET)


def rck(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rockcreek", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **env}
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ruby")
    (folder / "usr/bin").mkdir(parents=True)
    (folder / "usr/lib").mkdir()
    (folder / "usr/lib/mark").touch()
    (folder / "prog.c").write_text(STAND_IN)
    said = rck("cc", str(folder / "prog.c"), "-o", str(folder / "usr/bin/ruby"))
    assert said.returncode == 0, said.stderr
    (folder / "usr/bin" / built.STAMP).write_text(ruby.SOURCES.digest())
    (folder / "script.rb").touch()
    return folder


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["{}/script.rb", "-n", "4"], f"{OFF}[script.rb][-n][4] library script no gems\n"),
        (["-w", "-rset", "{}/script.rb"], f"{OFF}[-w][-rset][script.rb] library script no gems\n"),
        (["-e", "puts 1", "a"], f"{OFF}[-e][puts 1][a] library no script no gems\n"),
        (["--gems", "{}/usr", "{}/script.rb"], "[-rrck][script.rb] library script /gems\n"),
        (["--share", "{}", "{}/usr/lib/mark"], f"{OFF}[usr/lib/mark] library script no gems\n"),
        (["--share={}", "{}/script.rb"], f"{OFF}[script.rb] library script no gems\n"),
    ],
)  # fmt: skip
def test_what_the_interpreter_is_given(place: Path, words: list[str], shown: str) -> None:
    given = [word.format(place) for word in words]
    ran = rck("ruby", "-q", "--fresh", *given, RCK_RUBY=str(place))
    assert (ran.stdout, ran.returncode) == (shown, 3), ran.stderr


def test_many_cores(place: Path) -> None:
    ran = rck("ruby", "-q", "--fresh", "-n", "2", str(place / "script.rb"), RCK_RUBY=str(place))
    assert ran.stdout.count("[script.rb] library script") == 2
    ran = rck("ruby", "-q", "-n", "2", str(place / "none.rb"), RCK_RUBY=str(place))
    assert ran.stdout == f"[00] {OFF}[none.rb] library script no gems\n"


def test_a_run_goes_on_from_a_kept_start(place: Path) -> None:
    """A snapshot is made once for each kind of start; words and folder are each run's own."""
    kept = place.parent / "started"
    script = str(place / "script.rb")

    def started(*words: str) -> str:
        ran = rck("ruby", *words, RCK_RUBY=str(place))
        assert ran.returncode == 4, ran.stderr
        return ran.stdout + ran.stderr

    said = started("-w", "-rset", "-I", "lib", script, "-n", "a b")
    assert "-W|2|-r|set|-I|lib|script|script.rb|argument|-n|argument|a b - script\n" in said
    assert f"rck: starting Ruby on 1 core, once; the chip is kept in {kept}" in said
    assert started("-q", "-e", "puts 1", "x") == "-e|puts 1|argument|x - no script\n"
    assert len(list(kept.glob("*.rck"))) == 1
    two = started("-q", "-n", "2", "--tag", "none", "--env", "GIVEN=1", script)
    assert two == 2 * "script|script.rb 1 script\n"
    assert len(list(kept.glob("*.rck"))) == 2
    for words in (["-q", "--json", str(place / "1.json"), script], ["-q", script]):
        assert started(*words) == "script|script.rb - script\n"


def test_a_ruby_that_ends_at_its_start_does_so_in_the_run(place: Path) -> None:
    ran = rck("ruby", "-q", "--env", "ENDS=1", "-e", "1", RCK_RUBY=str(place))
    assert (ran.returncode, ran.stdout) == (3, f"{OFF}[-e][1] library no script no gems\n")


@pytest.mark.parametrize("words", [["-l"], ["-W:no-deprecated"], ["--until", "1s"], ["--strace"]])
def test_what_concerns_the_start_starts_ruby(place: Path, words: list[str]) -> None:
    ran = rck("ruby", "-q", *words, "-e", "1", RCK_RUBY=str(place))
    assert ran.returncode == 3
    assert OFF in ran.stdout and "[-e][1]" in ran.stdout


def test_where_no_snapshot_can_be_kept_ruby_starts(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "usr", tmp_path / "install/usr")
    (tmp_path / "started").write_text("no folder")
    ran = rck("ruby", "-e", "1", RCK_RUBY=str(tmp_path / "install"))
    assert (ran.returncode, ran.stdout) == (3, f"{OFF}[-e][1] library no script no gems\n")
    assert "rck: no snapshot of a started Ruby is kept, so it starts in this run: " in ran.stderr


def test_snapshots_that_nobody_uses_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this version's the ones used last stay, of others none."""
    monkeypatch.setenv("RCK_RUBY", str(tmp_path / "install"))
    (tmp_path / "started").mkdir()
    for number in range(30):
        path = tmp_path / f"started/{'new' if number < 25 else 'old'}-{number}.rck"
        path.touch()
        os.utime(path, (1000 - number, 1000 - number))
    started._make_room("new")
    left = {path.name for path in (tmp_path / "started").iterdir()}
    assert left == {f"new-{number}.rck" for number in range(15)}


@pytest.mark.parametrize("command", ["ruby", "irb"])
def test_without_ruby_it_says_how_to_get_it(command: str, tmp_path: Path) -> None:
    said = rck(command, "-e", "1", RCK_RUBY=str(tmp_path))
    assert said.returncode == 66
    assert said.stderr.startswith(f"rck: Ruby is not there: no {tmp_path}/usr/bin/ruby")
    assert "'make ruby' fetches and builds it" in said.stderr


def test_an_old_ruby_is_refused(place: Path, tmp_path: Path) -> None:
    (tmp_path / "usr/bin").mkdir(parents=True)
    (tmp_path / "usr/bin/ruby").write_bytes((place / "usr/bin/ruby").read_bytes())
    (tmp_path / "usr/bin" / built.STAMP).write_text("other")
    said = rck("ruby", "-e", "1", RCK_RUBY=str(tmp_path))
    assert (said.returncode, "'make ruby' builds it again" in said.stderr) == (66, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-n", "49", "-e", "1"], "cores 0 to 47"),
        (["-n", "x", "-e", "1"], "'x' is not a valid integer"),
        (["--gems", "/nowhere", "-e", "1"], "No such file or directory"),
        (["--timeout"], "option --timeout needs a value"),
        (["--kernel", "none", "-e", "1"], "'none' is not one of"),
        (["--kernel", "linux", "--jitter", "1", "-e", "1"], "--jitter: the kept snapshot has"),
        (["--kernel=linux", "--reserve", "1", "-e", "1"], "no such option '--reserve'"),
        (["--network", "-e", "1"], "no such option '--network'"),
    ],
)
def test_wrong_options(place: Path, words: list[str], says: str) -> None:
    said = rck("ruby", *words, RCK_RUBY=str(place))
    assert said.returncode in (64, 66)
    assert says in said.stderr, said.stderr


def test_help_has_examples() -> None:
    for words in (["ruby"], ["ruby", "--help"], ["irb", "-h"]):
        said = rck(*words)
        assert said.returncode == (64 if words == ["ruby"] else 0)
        assert "Example" in said.stdout and "Exit code:" in said.stdout


def test_an_option_without_its_value() -> None:
    with pytest.raises(UsageError, match="-n needs a value"):
        ruby.take_apart(["-n"], {"-n": 1}.get)


def test_a_session_is_for_our_own_kernel(place: Path) -> None:
    said = rck("irb", "--kernel", "linux", RCK_RUBY=str(place))
    assert (said.returncode, "a session needs rck's own kernel" in said.stderr) == (64, True)


def test_linux_that_is_not_there(place: Path, tmp_path: Path) -> None:
    ours = {"RCK_RUBY": str(place), "RCK_LINUX": str(tmp_path)}
    said = rck("ruby", "--kernel", "linux", str(place / "script.rb"), **ours)
    assert (said.returncode, "'make linux' fetches and builds it" in said.stderr) == (66, True)


def test_what_a_linux_is_given(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library where Ruby looks for it, the script's folder, and who has the message buffers."""
    monkeypatch.setenv("RCK_RUBY", str(place))
    off = " ".join(f"--disable={part}" for part in ruby.QUIET)
    start = ruby_linux.program(["a.rb", "b c"], "/scripts", {"A": "b"})
    assert start.shares == ("/scripts", str(place / "usr"))
    typed = start.typed((4, 5), 533, 4).decode()
    assert typed == (
        "launch 2 0.533 4 5\nmount 0 /host\ncd /host\nmount 1 /program ro\n"
        "run ln -s /program/lib /usr/lib && LANG=C.UTF-8 HOME=/ A=b exec /program/bin/ruby "
        f"{off} a.rb 'b c'\n"
    )
    stdin = place / "kept/stdin"
    full = ruby_linux.program(["-"], "/s", {}, gems="/g", network=False, stdin=stdin)
    assert full.shares == ("/s", str(place / "usr"), "/g", str(stdin.parent))
    typed = full.typed((0,), 533, 0).decode()
    assert "free\n" in typed and "aname=2 host /gems && " in typed
    assert "mount 3 /stdin ro\n" in typed and typed.endswith("ruby - < /stdin/stdin\n")
