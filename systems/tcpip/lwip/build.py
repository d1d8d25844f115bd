"""`make tcpip`: fetches lwIP and builds it, with our port, into build/tcpip/lib/liblwip.a.

`rck cc` looks for libraries there. What is done is not done again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYSTEM = HERE.parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT))
from build_backend import own_names  # noqa: E402
from scripts.packages import FetchError, Shelf  # noqa: E402

from rockcreek.toolchain import built, stack  # noqa: E402
from rockcreek.toolchain.paths import find_toolchain  # noqa: E402

RCK = (sys.executable, "-m", "rockcreek")
OURS = ["-Wextra", "-Werror", "-D_GNU_SOURCE"]


def say(text: str) -> None:
    print(f"tcpip: {text}", file=sys.stderr, flush=True)


def headers(source: Path) -> bytes:
    """All that a header may change."""
    digest = hashlib.sha256()
    for folder in (source, SYSTEM):
        for path in sorted(folder.rglob("*.h")):
            digest.update(path.read_bytes())
    return digest.digest()


def compile_one(source: Path, flags: list[str], store: Path, seed: bytes) -> Path:
    """One object, by the hash of all that goes into it."""
    key = hashlib.sha256(seed + repr(flags).encode() + source.read_bytes())
    target = store / f"{source.stem}-{key.hexdigest()[:16]}.o"
    if not target.is_file():
        scratch = target.with_suffix(f".{os.getpid()}")
        command = [*RCK, "cc", *flags, "-c", str(source), "-o", str(scratch)]
        if subprocess.run(command, check=False).returncode != 0:
            raise SystemExit(f"tcpip: {source} does not compile")
        scratch.replace(target)
    return target


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build/tcpip")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 8))
    options = parser.parse_args()
    description = tomllib.loads((HERE / "lwip.toml").read_text(encoding="utf-8"))
    build = description["build"]
    try:
        source = Shelf(options.folder, "tcpip").provide("lwip", description["package"]) / "src"
    except FetchError as error:
        say(str(error))
        return 1
    store, library = options.folder / "objects", options.folder / "lib/liblwip.a"
    store.mkdir(parents=True, exist_ok=True)
    library.parent.mkdir(exist_ok=True)
    folders = [SYSTEM / "stack/include", source / build["include"]]
    folders += [SYSTEM / name for name in ("include", "link", "sockets", "stack")]
    flags = [*build["flags"], *(f"-I{folder}" for folder in folders)]
    work = [(path, flags) for word in build["sources"] for path in sorted(source.glob(word))]
    work += [(path, [*flags, *OURS]) for path in sorted((SYSTEM / "stack").glob("*.c"))]
    seed, digest = headers(source), stack.SOURCES.digest()
    with ThreadPoolExecutor(options.jobs) as pool:
        objects = list(pool.map(lambda pair: compile_one(*pair, store, seed), work))
    library.unlink(missing_ok=True)
    subprocess.run([*RCK, "ar", "rcs", str(library), *map(str, objects)], check=True)
    own_names.change(library, find_toolchain().lib)
    library.with_name(built.STAMP).write_text(f"{digest}\n", encoding="utf-8")
    say(f"{len(objects)} files: {library.relative_to(ROOT)}; now rck cc prog.c -llwip -ltcpip")
    return 0


if __name__ == "__main__":
    sys.exit(main())
