"""`make linux`: Linux for every core, and the programs that it starts with, into build/linux.

Linux, busybox, dropbear and musl's libm come from Debian's sources and are built here: the kernel
by this host's GCC, programs by `rck cc`. `rck linux` takes bzImage, System.map and root.cpio from
build/linux/images.
Each step says what it does and how long it took, and what is done is not done again: after an
interruption the same command goes on.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]
import dropbear  # noqa: E402
import root_image  # noqa: E402
from build_backend import own_names, sysroot  # noqa: E402
from scripts import linux_kernel  # noqa: E402
from scripts.foreign import NICE, RCK, StepError, Steps, put, run, tools  # noqa: E402
from scripts.packages import Shelf  # noqa: E402

from rockcreek.booting import unpacked  # noqa: E402
from rockcreek.linux import images  # noqa: E402
from rockcreek.linux.images import HEADERS, SOURCES  # noqa: E402
from rockcreek.toolchain.paths import find_toolchain  # noqa: E402

STEPS = Steps("linux")
DESCRIPTION = tomllib.loads((HERE / "linux.toml").read_text(encoding="utf-8"))
OURS = "arch/x86/platform/scc"


# Where the programs of the root file system lie, apart from a user's: whoever watches the addresses
# of a user's program (--messages, --trace) sees no other.
BASE = "-Wl,--image-base=0x60000000"

# Busybox has another licence than our heap, so it takes the compiler package's, without our marks.
HEAP = ("malloc", "calloc", "realloc", "free", "aligned_alloc", "memalign", "posix_memalign")
# Nor does it take the functions that we have in the place of musl's.
OTHERS = {name: f"__zig_{name}" for name in HEAP}
OTHERS |= {name: f"__musl_{name}" for name in sysroot.MADE_RIGHT}
LINK_OF_OTHERS = " ".join(f"-Wl,--defsym={name}={other}" for name, other in OTHERS.items())
LIBRARIES_OF_OTHERS = "-lm -lc -lzigc -lcompiler_rt"


def kernel(source: Path, folder: Path, jobs: int) -> dict[str, bytes]:
    """The kernel with our platform: its image, not packed, and its symbols."""
    linux_kernel.change(source, DESCRIPTION["replace"])
    target = source / OURS
    target.mkdir(exist_ok=True)
    files = (HERE / "kernel").glob("*/[!.]*")
    ours = {path.name: path.read_text(encoding="utf-8") for path in files}
    for name in HEADERS:
        text = (ROOT / "guest/scc/include/scc" / name).read_text(encoding="utf-8")
        ours[name] = linux_kernel.EITHER + text
    for path in target.glob("*.[ch]"):
        if path.name not in ours:
            path.unlink()
    for name, text in ours.items():
        put(target / name, text)
    settings = (HERE / "linux.config").read_text(encoding="utf-8")
    linux_kernel.configure(source, settings, folder / "configure.log")
    words = DESCRIPTION["kernel"]["make"]
    image = linux_kernel.build(source, folder / "kernel.log", jobs, words)
    try:
        data = unpacked.image(image.read_bytes(), (source / "vmlinux").read_bytes())
        return {images.KERNEL: data, images.MAP: (source / "System.map").read_bytes()}
    except ValueError as error:
        raise StepError(str(error)) from error


def musl_libm(source: Path, folder: Path, commands: dict[str, str]) -> Path:
    """musl's mathematics as libm.a, and nothing else of musl."""
    library, stamp = folder / "musl-libm/libm.a", folder / "musl-libm/made-by"
    own = {path.stem for path in source.glob("src/math/i386/*.[csS]")}
    sources = [*source.glob("src/math/i386/*.[csS]")]
    sources += [path for path in source.glob("src/math/*.c") if path.stem not in own]
    includes = ("arch/i386", "arch/generic", "src/include", "src/internal")
    flags = ["-O2", "-w", "-std=c99", "-D_XOPEN_SOURCE=700", *(f"-I{source / i}" for i in includes)]
    # All that decides what is in it: sources, compiler, flags, the C library's second names.
    names = sorted(own_names.of_libraries(find_toolchain().lib))
    key = repr([DESCRIPTION["package"]["musl"], Path(commands["CC"]).read_text(), flags, names])
    if library.is_file() and stamp.is_file() and stamp.read_text() == key:
        return library
    objects = folder / "musl-libm/objects"
    objects.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    made, log = [], folder / "musl-libm.log"
    for path in sorted(sources):
        made.append(str(objects / f"{path.stem}.o"))
        run([*NICE, commands["CC"], *flags, "-c", str(path), "-o", made[-1]], objects, log)
    scratch = library.with_suffix(".new")
    scratch.unlink(missing_ok=True)
    run([commands["AR"], "rcs", str(scratch), *made], objects, log)
    # The C library calls functions of libm by second names.
    own_names.change(scratch, find_toolchain().lib)
    scratch.replace(library)
    stamp.write_text(key)
    return library


def busybox(source: Path, folder: Path, libm: Path, commands: dict[str, str], jobs: int) -> Path:
    """busybox, static, with its own choice of libm."""
    linker = folder / "bin/busybox-cc"
    compiler = Path(commands["CC"]).read_text().splitlines()[:-1]
    libraries = f"-L{libm.parent} -nodefaultlibs"
    parts = f'for word; do [ "$word" = -r ] && exec {RCK} cc -g0 "$@"; done'
    before, behind = f"{libraries} {LINK_OF_OTHERS}", LIBRARIES_OF_OTHERS
    link = f'exec {RCK} cc -g0 {BASE} {before} "$@" {behind}'
    if put(linker, "\n".join([*compiler, parts, link, ""])):
        # Make does not know what a link depends on.
        (source / "busybox_unstripped").unlink(missing_ok=True)
    linker.chmod(0o755)
    make = ["make", "-C", str(source), f"CC={linker}", f"AR={commands['AR']}", "HOSTCC=gcc"]
    make += ["SKIP_STRIP=y", "EXTRA_CFLAGS=-w"]
    log = folder / "busybox.log"
    wanted = "\n".join(DESCRIPTION["busybox"]["settings"]) + "\n"
    stamp = source / ".settings"
    if not (stamp.is_file() and stamp.read_text() == wanted):
        run([*make, "defconfig"], source, log)
        config = source / ".config"
        names = {
            line.replace("# ", "").partition("=")[0].split()[0] for line in wanted.splitlines()
        }
        kept = [
            line
            for line in config.read_text().splitlines()
            if line.replace("# ", "").partition("=")[0].partition(" ")[0] not in names
        ]
        config.write_text("\n".join(kept) + "\n" + wanted)
        run(["sh", "-c", 'yes "" | make oldconfig'], source, log)
        stamp.write_text(wanted)
    run([*NICE, *make, f"-j{jobs}", "busybox", "busybox.links"], source, log)
    return source / "busybox"


def own_programs(folder: Path) -> dict[str, bytes]:
    """Our programs of the root file system, by name."""
    programs = {}
    for source in sorted((HERE / "root").glob("*.c")):
        target = folder / "bin" / source.stem
        log = folder / f"{source.stem}.log"
        run([RCK, "cc", "-O2", "-g0", BASE, str(source), "-o", str(target)], folder, log)
        programs[source.stem] = target.read_bytes()
    return programs


def build(folder: Path, jobs: int) -> None:
    linux_kernel.check_tools()
    digest = SOURCES.digest()
    shelf = Shelf(folder, "linux")
    source = shelf.provide("source", linux_kernel.PACKAGE)
    parts = {name: shelf.provide(name, package) for name, package in DESCRIPTION["package"].items()}
    place = folder / "images"
    place.mkdir(exist_ok=True)
    made: dict[str, Path] = {}
    kernels: list[dict[str, bytes]] = []
    servers: list[dropbear.Server] = []

    def make_kernel() -> None:
        kernels.append(kernel(source, folder, jobs))

    def make_busybox() -> None:
        commands = tools(folder / "bin")
        libm = musl_libm(parts["musl"], folder, commands)
        made["busybox"] = busybox(parts["busybox"], folder, libm, commands, jobs)

    def make_dropbear() -> None:
        source, commands = parts["dropbear"], tools(folder / "bin")
        server = dropbear.build(source, folder, commands, DESCRIPTION["dropbear"], BASE, jobs)
        servers.append(server)

    STEPS.timed(
        "building Linux (ten minutes of two processors; build/linux/kernel.log)", make_kernel
    )
    STEPS.timed("building busybox (five minutes; build/linux/busybox.log)", make_busybox)
    STEPS.timed("building dropbear (a minute; build/linux/dropbear.log)", make_dropbear)
    links = (parts["busybox"] / "busybox.links").read_text().split()
    programs = own_programs(folder)
    root = root_image.build(HERE / "root", made["busybox"], links, programs, servers[0])
    linux_kernel.store(place, {**kernels[0], images.ROOT: root}, digest)
    STEPS.say("now: rck linux")


if __name__ == "__main__":
    sys.exit(STEPS.main(__doc__, ROOT / "build/linux", build))
