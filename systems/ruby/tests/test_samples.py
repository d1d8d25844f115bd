"""Ruby's own samples of objects, unchanged, by both ways; only where `make ruby` was run."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from started_ruby import NEEDS_RUBY, PROGRAMS, rck

from rockcreek.interpreters import ruby
from rockcreek.linux import images

pytestmark = NEEDS_RUBY
LINUX = pytest.mark.skipif(
    not images.usable(), reason="needs the cores' Linux, which `make linux` builds"
)
WAYS = [
    pytest.param(["rcce://0"], id="rcce"),
    pytest.param(["--kernel", "linux", "druby://rck00:7640"], id="druby", marks=LINUX),
]
FIVE = "1\n2\nIII\n4\n"
DARRAY = (
    f'6\n# collect\n[2, 4, "IIIIII", 8, "fivefive", 12]\n# find\n"III"\n# each, break\n{FIVE}6\n'
    f"# each, break\n{FIVE}# each, next\n{FIVE}6\n# each, redo\n1\n2\n3\n4\n5\n6\n7\n"
)
# A server and its clients in the order of the cores, what the last one writes, and its exit code.
# {} is the URI of core 1. drbc calls an object's to_a, which Ruby of today has not: on any host it
# ends there.
SAMPLES = {
    "darray darrayc": (DARRAY, 0),
    "dqueue dqin dqout": ("Hello, This is {}", 0),
    "drbs drbc": ("#<DRbEx:0x", 1),
    "name namec": ("\n1\n2\n[return] to continue\n3\n4\n", 0),
    "rinda_ts rindas rindac": ("".join(f"[{n}, {2 * n}]\n" for n in range(1, 11)), 0),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("names", SAMPLES)
def test_samples(tmp_path: Path, way: list[str], names: str) -> None:
    source = ruby.folder().parent / "ruby/sample/drb"
    for path in [PROGRAMS / "sample.rb", *source.glob("*.rb")]:
        shutil.copy(path, tmp_path)
    *options, uri = way
    words = names.split()
    ran = rck("ruby", "-q", "-n", str(len(words)), "--timeout", "600s", *options,
              str(tmp_path / "sample.rb"), uri, *words)  # fmt: skip
    last = f"[{len(words) - 1:02}] "
    lines = [line for line in ran.stdout.splitlines(keepends=True) if line.startswith(last)]
    said, code = SAMPLES[names]
    one = "rcce://1" if uri.startswith("rcce") else "druby://192.168.0.2:"
    assert said.format(one) in "".join(line.removeprefix(last) for line in lines), ran.stderr
    assert ran.returncode == code
    assert not (tmp_path / "uri").exists()  # a further run may begin
    assert code == 0 or "undefined method `to_a' for #<DRbEx" in ran.stdout + ran.stderr
