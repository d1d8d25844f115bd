"""What `rck linux run` types at the consoles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rockcreek import resources
from rockcreek.errors import InputError, UsageError
from rockcreek.linux import program
from rockcreek.software import image


def lines(
    folder: Path, *command: str, network: bool | None = None, env: dict[str, str] | None = None
) -> list[str]:
    found = program.in_folder(command, str(folder), env or {}, network=network)
    return found.typed((4, 5), 533, 4).decode().splitlines()


def test_a_command_learns_of_its_job_and_keeps_the_network(tmp_path: Path) -> None:
    assert lines(tmp_path, "uname", "-a b", env={"A": "b c"}) == [
        "launch 2 0.533 4 5",
        "mount 0 /host",
        "cd /host",
        "run A='b c' exec uname '-a b'",
    ]


@pytest.mark.parametrize(("network", "free"), [(None, True), (True, False)])
def test_a_program_of_rcce_gets_the_message_buffers(
    tmp_path: Path, network: bool | None, free: bool
) -> None:
    (tmp_path / "ring").write_bytes(resources.example("ring").read_bytes())
    (tmp_path / "ring").chmod(0o755)
    typed = lines(tmp_path, "./ring", "3", network=network)
    assert ("free" in typed) == free
    assert typed[-1] == "start ./ring 3"


def test_a_program_of_the_original_rcce_gets_its_launchers_words(tmp_path: Path) -> None:
    own = image.read(resources.example("ring"))
    other = own.data.replace(b".note.rockcreek", b".note.otherwise")
    (tmp_path / "ring").write_bytes(other)
    (tmp_path / "ring").chmod(0o755)
    assert lines(tmp_path, "./ring", "3")[-1] == "start ./ring 2 0.533 4 5 3"


def test_a_script_and_a_missing_file_are_no_programs_of_ours(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("#!/bin/sh\n")
    for name in ("./script", "./none", "script", "/bin/sh"):
        found = program.in_folder((name,), str(tmp_path), {}, network=None)
        assert found.file is None


@pytest.mark.parametrize("flags", [["-pthread"], ["-fopenmp"], ["-lsvm", "-lrcce"]])
def test_threads_over_cores_are_not_for_a_linux_of_each_core(
    guest: Callable[..., Path], flags: list[str]
) -> None:
    """Nor shared virtual memory: Linux has no mailboxes."""
    text = "#include <pthread.h>\n#include <stddef.h>\nvoid svm_init(void);\n"
    text += "static void *nothing(void *p) { return p; }\nint main(void)\n{\n"
    text += "    svm_init();\n" if "-lsvm" in flags else "    pthread_t one;\n"
    text += "" if "-lsvm" in flags else "    pthread_create(&one, NULL, nothing, NULL);\n"
    path = guest(text + "    return nothing(NULL) != NULL;\n}\n", flags)
    for made in (
        lambda: program.of_file(str(path), (), None, {}),
        lambda: program.in_folder((f"./{path.name}",), str(path.parent), {}, network=None),
    ):
        with pytest.raises(UsageError, match="needs mailboxes, which a Linux of each core has not"):
            made()


def test_a_file_from_anywhere_is_a_program(tmp_path: Path) -> None:
    """Linux has it in /program, and begins in the shared folder, if there is one."""
    file = tmp_path / "ring"
    file.write_bytes(resources.example("ring").read_bytes())
    file.chmod(0o755)
    alone = program.of_file(str(file), ("3",), None, {})
    assert alone.shares == (str(tmp_path),)
    typed = alone.typed((0,), 533, 0).decode()
    assert typed.endswith("cd /tmp\nmount 0 /program ro\nstart /program/ring 3\n")
    both = program.of_file(str(file), (), "/share", {})
    assert both.shares == ("/share", str(tmp_path))
    typed = both.typed((0,), 533, 0).decode()
    assert "mount 0 /host\ncd /host\nmount 1 /program ro\nstart /program/ring\n" in typed


def test_a_file_that_nobody_may_execute(tmp_path: Path) -> None:
    """Linux refuses it: said before the boot, or helped by a copy where rck's kernel runs it."""
    file = tmp_path / "ring"
    file.write_bytes(resources.example("ring").read_bytes())
    file.chmod(0o644)
    with pytest.raises(InputError, match="nobody may execute it"):
        lines(tmp_path, "./ring")
    typed = program.of_file(str(file), ("3",), None, {}).typed((0,), 533, 0).decode()
    assert (
        "cp /program/ring /tmp/program && chmod 700 /tmp/program && exec /tmp/program 3\n" in typed
    )


def test_what_a_program_reads_is_in_a_folder_of_its_own(tmp_path: Path) -> None:
    stdin = tmp_path / "kept/stdin"
    found = program.in_folder(("wc", "-l"), "/folder", {}, network=None, stdin=stdin)
    assert found.shares == ("/folder", str(stdin.parent))
    typed = found.typed((0,), 533, 0).decode()
    assert typed.endswith("cd /host\nmount 1 /stdin ro\nrun exec wc -l < /stdin/stdin\n")


def test_a_file_of_the_host_reads_on_some_cores(tmp_path: Path) -> None:
    file = tmp_path / "ring"
    file.write_bytes(resources.example("ring").read_bytes())
    file.chmod(0o755)
    stdin = Path("/kept/stdin")
    found = program.of_file(str(file), (), None, {}, stdin=stdin, readers=(4,))
    assert found.shares == (str(tmp_path), "/kept")
    first, second = (found.typed((4, 5), 533, core).decode() for core in (4, 5))
    assert first.endswith("mount 1 /stdin ro\nrun exec /program/ring < /stdin/stdin\n"), first
    assert "< " not in second


def test_folders_by_names_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "ring"
    file.write_bytes(resources.example("ring").read_bytes())
    file.chmod(0o755)
    found = program.of_file(str(file), (), "/share", {}, mounts={"data": str(tmp_path)})
    assert found.shares == ("/share", str(tmp_path), str(tmp_path))
    mounted = "mount -t 9p -o ro,trans=scc,version=9p2000.L,aname=2 host /data"
    typed = found.typed((0,), 533, 0).decode()
    assert typed.endswith(f"\nrun mkdir -p /data && {mounted} && exec /program/ring\n"), typed
    with pytest.raises(UsageError, match="/bin is Linux's own"):
        program.of_file(str(file), (), None, {}, mounts={"bin": str(tmp_path)})
