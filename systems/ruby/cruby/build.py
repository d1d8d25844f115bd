"""`make ruby`: fetches CRuby, puts ours beside its extensions, and builds it for the chip.

All lies in build/ruby; `rck ruby` takes the interpreter and its library from build/ruby/install.
CRuby is built twice, because Ruby programs build the chip's one: first for this host. Each step
says what it does and how long it took, and what is done is not done again: after an interruption
the same command goes on.
"""

from __future__ import annotations

import filecmp
import pty
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SYSTEM = HERE.parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT))
from scripts.foreign import NICE, StepError, Steps, put, run, tools  # noqa: E402
from scripts.packages import Shelf  # noqa: E402

from rockcreek.interpreters import ruby  # noqa: E402
from rockcreek.toolchain import built  # noqa: E402

STEPS = Steps("ruby")
# A thread of Ruby is one of its core; times are beyond 2038.
COMPILER = ("-g0", "-D_TIME_BITS=64", "-pthread=core")
PARTS = ("install-bin", "install-lib", "install-ext-comm", "install-ext-arch")
# Folders of ours, and what Ruby requires by that name.
EXTENSIONS = {"binding": "rcce", "alone": "rck_alone"}
# Cores of the snapshots that runs find; for others they make them.
STARTED = (1, 48)
LIBRARY = "usr/lib/ruby/site_ruby/3.1.0"


def put_extensions(source: Path) -> None:
    """Ours among CRuby's, which they are built with."""
    for folder, name in EXTENSIONS.items():
        put_extension(SYSTEM / folder, source / "ext" / name)


def put_extension(folder: Path, target: Path) -> None:
    target.mkdir(exist_ok=True)
    ours = {path.name: path for path in sorted(folder.glob("*.*"))}
    there = {path.name for path in target.iterdir()}
    for name in there - set(ours):
        (target / name).unlink()
    for name, path in ours.items():
        if not (target / name).is_file() or not filecmp.cmp(path, target / name, shallow=False):
            shutil.copyfile(path, target / name)
    if there != set(ours):
        (target / "extconf.rb").touch()  # for another list of objects


def library(name: str, entry: dict[str, Any], source: Path, folder: Path, cc: Path) -> None:
    """An archive of C that an extension needs, and its headers."""
    archive = folder / f"lib/lib{name}.a"
    for header in entry["headers"]:
        text = (source / header).read_text(errors="surrogateescape")
        put(folder / "include" / Path(header).name, text)
    if archive.is_file():
        return
    objects = folder / f"objects-{name}"
    for path in (archive.parent, objects):
        path.mkdir(parents=True, exist_ok=True)
    sources = [str(path) for word in entry["sources"] for path in sorted(source.glob(word))]
    flags = [f"-I{source / word[2:]}" if word.startswith("-I") else word for word in entry["flags"]]
    made = [str(objects / Path(path).with_suffix(".o").name) for path in sources]
    log = folder / f"{name}.log"
    for path, target in zip(sources, made, strict=True):
        run([str(cc), *flags, "-c", path, "-o", target], objects, log)
    scratch = archive.with_suffix(".new")
    scratch.unlink(missing_ok=True)
    run([str(cc.with_name("ar")), "rcs", str(scratch), *made], objects, log)
    scratch.replace(archive)


def configure(source: Path, build: Path, options: Sequence[str], kind: str) -> None:
    command = [str(source / "configure"), *options]
    stamp = build / ".configured"
    if stamp.is_file() and stamp.read_text() == repr(command):
        return
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    log = build.with_suffix(".configure.log")
    STEPS.timed(
        f"configuring {kind} (two minutes on an idle host; {log.relative_to(ROOT)})",
        lambda: run([*NICE, *command], build, log),
    )
    stamp.write_text(repr(command))


def make(build: Path, jobs: int, install: Sequence[str], kind: str) -> None:
    """Compile, and install what `install` names."""
    log = build.with_suffix(".make.log")
    both = " && ".join((shlex.join(["make", f"-j{jobs}"]), shlex.join(["make", *install])))
    STEPS.timed(
        f"compiling {kind} (five minutes of two processors; {log.relative_to(ROOT)})",
        lambda: run([*NICE, "sh", "-c", both], build, log),
    )


def host_ruby(source: Path, folder: Path, description: dict[str, Any], jobs: int) -> Path:
    """This host's Ruby, of the same sources: it builds the chip's, and checks scripts' syntax."""
    target = folder / "host-install"
    program = target / "bin/ruby"
    without = [*description["without"]["both"], *description["without"]["host"]]
    options = [f"--prefix={target}", f"--with-out-ext={','.join(without)}"]
    options += [*description["configure"]["both"], *description["configure"]["host"]]
    build = folder / "host"
    configure(source, build, options, "this host's Ruby")
    stamp = build / ".installed"
    if not (stamp.is_file() and program.is_file()):
        make(build, jobs, PARTS, "this host's Ruby")
        stamp.touch()
    return program


def chip_ruby(
    source: Path, folder: Path, description: dict[str, Any], host: Path, jobs: int
) -> Path:
    """The chip's Ruby; its folder stands for /."""
    target, build = folder / "install", folder / "build"
    deps = folder / "deps"
    variables = {
        **tools(folder / "bin", COMPILER),
        "NM": "nm",
        "LD": "ld",
        "CFLAGS": "-O2",
        "CPPFLAGS": f"-I{deps / 'include'}",
        "LDFLAGS": f"-L{deps / 'lib'}",
    }
    for name, entry in description["library"].items():
        package = folder / entry["package"]
        library(name, entry, package, deps, Path(variables["CC"]))
    options = [f"--with-baseruby={host}"]
    options += [f"--with-out-ext={','.join(description['without']['both'])}"]
    options += [*description["configure"]["both"], *description["configure"]["chip"]]
    options += [f"{name}={value}" for name, value in variables.items()]
    configure(source, build, options, "the chip's Ruby")
    # Our libraries are no prerequisites of CRuby's makefile: it links again.
    (build / "ruby").unlink(missing_ok=True)
    make(build, jobs, [f"DESTDIR={target}", *PARTS], "the chip's Ruby")
    return target


def install(target: Path, digest: str) -> None:
    """What is ours in the library, and of which sources it is."""
    for path in sorted((SYSTEM / "lib").rglob("*.rb")):
        put(target / LIBRARY / path.relative_to(SYSTEM / "lib"), path.read_text())
    put(target / "usr/bin" / built.STAMP, f"{digest}\n")


def start(target: Path, folder: Path, cores: int) -> None:
    """Leaves snapshots of so many started Rubies: with a terminal as input, and without."""
    command = ["env", f"RCK_RUBY={target}", sys.executable, "-m", "rockcreek", "ruby", "-q"]
    command += ["-n", str(cores), "-e", ""]
    try:
        for stdin in (subprocess.DEVNULL, *pty.openpty()[1:]):
            run(command, folder, folder / "started.log", stdin)
    except StepError as error:
        STEPS.say(f"a snapshot is not there, so the first run that needs it makes it: {error}")


def build(folder: Path, jobs: int) -> None:
    description = tomllib.loads((HERE / "ruby.toml").read_text())
    shelf = Shelf(folder, "ruby")
    sources = {name: shelf.provide(name, one) for name, one in description["package"].items()}
    digest = ruby.SOURCES.digest()
    host = host_ruby(sources["ruby"], folder, description, jobs)
    put_extensions(sources["ruby"])
    target = chip_ruby(sources["ruby"], folder, description, host, jobs)
    install(target, digest)
    for cores in STARTED:
        what = f"starting Ruby on {cores} of 48 cores, from where runs will go on"
        STEPS.timed(what, partial(start, target, folder, cores))
    STEPS.say("Ruby is there: rck ruby -e 'puts RUBY_VERSION', then rck ruby -n 48 script.rb")


if __name__ == "__main__":
    sys.exit(STEPS.main(__doc__, ROOT / "build/ruby", build))
