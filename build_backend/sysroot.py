"""The C and C++ run-time libraries, taken from the compiler package.

The package ``ziglang`` carries musl, compiler_rt, libc++ and libunwind as
sources and builds them when it links a program. One such link gives all of
them; then no function of ``math.h`` may come
from the parts that are written in Zig, because those are wrong on the x87
(excess precision breaks their argument reduction: sin(10) = 2.1e-05). What
``guest/libm`` defines replaces every other definition of that name. The heap,
too, is called as ``__zig_NAME``: ``guest/gnu/heap`` marks its blocks.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import archive, elf, own_names, time_types

PROGRAM = '#include <iostream>\nint main() { std::cout << "x"; return 0; }\n'
ZIG_FLAGS = ["-target", "x86-linux-musl", "-mcpu=pentium", "-O2", "-s"]
ZIG_MATH = ("libzigc.a", "libcompiler_rt.a")
LIBRARIES = (
    "libc++.a", "libc++abi.a", "libunwind.a", "libc.a", *ZIG_MATH,
)  # fmt: skip
# Named on many command lines; musl has all of it in libc.
EMPTY = (
    "libpthread.a", "librt.a", "libdl.a", "libutil.a", "libresolv.a",
    "libcrypt.a", "libxnet.a", "libstdc++.a", "libgcc.a", "libgcc_eh.a",
    "libgomp.a", "libomp.a", "libiomp5.a", "libatomic.a", "libgcc_s.a", "libnsl.a", "libanl.a",
    "libssp.a", "libssp_nonshared.a", "libsupc++.a", "libstdc++fs.a", "libpthread_nonshared.a",
    "libmcheck.a", "libBrokenLocale.a", "libc++fs.a", "libthread_db.a", "libg.a",
    "libnuma.a", "libargp.a", "libfts.a",
)  # fmt: skip
HEADERS = (
    ("libc/include/x86-linux-musl", "include"),
    ("libc/include/generic-musl", "include"),
    ("libcxx/include", "include/c++/v1"),
    ("libcxxabi/include", "include/c++/v1"),
)
# Headers of the C library, and what they include of guest/gnu as GNU's do. All include features.h.
EXTENDED = {
    "features.h": "sys/cdefs.h", "stdlib.h": "bits/gnu_stdlib.h", "fenv.h": "bits/gnu_fenv.h",
    "math.h": "bits/gnu_math.h", "signal.h": "bits/gnu_signal.h", "sys/stat.h": "bits/gnu_stat.h",
    "fcntl.h": "bits/gnu_fcntl.h", "unistd.h": "bits/gnu_unistd.h", "string.h": "bits/gnu_string.h",
    "pthread.h": "bits/gnu_pthread.h", "sys/wait.h": "bits/gnu_wait.h",
    "sys/resource.h": "bits/gnu_resource.h", "sys/param.h": "bits/gnu_param.h",
    "libintl.h": "locale.h", "limits.h": "bits/gnu_limits.h", "termios.h": "bits/gnu_termios.h",
}  # fmt: skip
# What GNU's headers include besides, which programs for it take for granted.
BESIDES = {
    "arpa/inet.h": ["sys/types.h"], "dirent.h": ["limits.h"], "dlfcn.h": ["stddef.h"],
    "ftw.h": ["sys/types.h", "sys/stat.h"], "malloc.h": ["stddef.h", "stdio.h"],
    "mqueue.h": ["sys/types.h", "fcntl.h"], "netdb.h": ["sys/types.h"], "net/if.h": ["sys/types.h"],
    "netinet/in.h": ["sys/types.h"], "regex.h": ["sys/types.h"], "sched.h": ["stddef.h"],
    "semaphore.h": ["sys/types.h"], "spawn.h": ["sched.h", "sys/types.h"],
    "stdlib.h": ["sys/types.h"], "sys/file.h": ["fcntl.h"],
    "sys/param.h": ["stddef.h", "sys/types.h", "signal.h"], "sys/sem.h": ["sys/types.h"],
    "sys/socket.h": ["sys/types.h"], "sys/uio.h": ["sys/types.h"], "sys/un.h": ["string.h"],
}  # fmt: skip
# A header of ISO C has names of POSIX only where a program does not ask for ISO C alone.
OF_ISO = {"stdlib.h"}
IF_MORE = "#if defined _BSD_SOURCE || defined _XOPEN_SOURCE || defined _GNU_SOURCE\n"
# Functions of guest/gnu in place of the C library's, which they call by the name ``__musl_NAME``.
MADE_RIGHT = {"strftime", "strptime", "timer_delete", "wait3", "wait4"}
# GNU's library has sys/poll.h and the like without a word; a warning ends a build with -Werror.
REDIRECTS = re.compile(r"^#warning redirecting incorrect #include .*\n", re.MULTILINE)


@dataclass(frozen=True)
class Runtime:
    """What one link with ``zig c++`` made."""

    start: Path
    libraries: dict[str, Path]
    cxx_defines: list[str]


def build_runtime(zig: Path, work: Path) -> Runtime:
    """Let the compiler package build its run-time libraries (once: ``work``
    keeps its cache)."""
    work.mkdir(parents=True, exist_ok=True)
    source = work / "runtime.cc"
    source.write_text(PROGRAM, encoding="utf-8")
    cache = str(work / "zig-cache")
    environment = {
        **os.environ,
        "ZIG_GLOBAL_CACHE_DIR": cache,
        "ZIG_LOCAL_CACHE_DIR": cache,
    }
    result = subprocess.run(
        [str(zig), "c++", *ZIG_FLAGS, "-static", "--verbose",
         source.name, "-o", "runtime"],
        cwd=work, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if result.returncode != 0:
        raise RuntimeError(f"building libc and libc++:\n{result.stderr}")
    return read_log(result.stderr, work)


def read_log(log: str, work: Path) -> Runtime:
    """Find the libraries in the linker's command line, and the macros that
    libc++ was configured with in the compiler's."""
    lines = log.splitlines()
    link = next(x for x in lines if x.startswith("ld.lld") and "libc++.a" in x)
    files = [work / word for word in shlex.split(link)]
    libraries = {f.name: f for f in files if f.name in LIBRARIES}
    missing = set(LIBRARIES) - libraries.keys()
    if missing:
        raise RuntimeError(f"the compiler package built no {missing}")
    start = next(f for f in files if f.name == "crt1.o")
    compile_line = next(x for x in lines if " -cc1 " in x and x.endswith("runtime.cc"))
    words = shlex.split(compile_line)
    defines = [
        "-D" + value
        for option, value in itertools.pairwise(words)
        if option == "-D" and value.startswith("_LIB")
    ]
    return Runtime(start, libraries, defines)


def install_headers(zig: Path, sysroot: Path) -> None:
    """Copy the headers of libc and libc++ into the sysroot."""
    for source, target in HEADERS:
        copy_headers(zig.parent / "lib" / source, sysroot / target)
    time_types.offer_both(sysroot / "include")
    for header in itertools.chain.from_iterable(
        (sysroot / folder).glob("*.h") for folder in ("include", "include/sys")
    ):
        text = header.read_text(encoding="utf-8")
        header.write_text(REDIRECTS.sub("", text), encoding="utf-8")
    for name, more in EXTENDED.items():
        include_more(sysroot / "include" / name, f"#include <{more}>\n")
    for name, besides in BESIDES.items():
        lines = "".join(f"#include <{header}>\n" for header in besides)
        iso = name in OF_ISO
        include_more(sysroot / "include" / name, f"{IF_MORE}{lines}#endif\n" if iso else lines)


def include_more(header: Path, lines: str) -> None:
    """Put lines before the end of what a header has once."""
    text = header.read_text(encoding="utf-8").rstrip().removesuffix("#endif")
    header.write_text(f"{text}{lines}\n#endif\n", encoding="utf-8")


def copy_headers(source: Path, target: Path) -> None:
    """Copy a tree of headers, leaving those that are there already: the
    first folder wins, as on an include path."""
    for path in sorted(source.rglob("*")):
        goal = target / path.relative_to(source)
        if path.is_file() and not goal.exists():
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, goal)


def math_functions(header: str) -> list[str]:
    """The functions that the text of ``math.h`` declares, by name."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)
    # Macros and the inline helpers of isgreater() and its kin do not count.
    text = re.sub(r"^#.*?(?<!\\)$", "", text, flags=re.DOTALL | re.MULTILINE)
    declarations = re.findall(
        r"^(?:float|double|long double|long long|long|int|void)\s+(\w+)\s*\([^)]*\)"
        r"\s*;",
        text,
        flags=re.MULTILINE,
    )
    return sorted(x for x in set(declarations) if not x.startswith("__"))


def install_libraries(runtime: Runtime, sysroot: Path, libm: Path) -> None:
    """Write the libraries, with ``libm`` in place of other math functions.

    What it replaces in musl stays reachable for it as ``__musl_NAME``.
    """
    replacement = archive.read(libm)
    folder = sysroot / "lib"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(runtime.start, folder / "crt1.o")
    ours = {n for member in replacement for n in member.defines()} | MADE_RIGHT
    wanted = {n for member in replacement for n in member.needs()}
    wanted |= {f"__musl_{name}" for name in MADE_RIGHT}
    header = (sysroot / "include" / "math.h").read_text(encoding="utf-8")
    declared = set(math_functions(header))
    libraries = {name: archive.read(path) for name, path in runtime.libraries.items()}
    for name in ZIG_MATH:
        members = [rename(member, ours | declared, "__zig_") for member in libraries[name]]
        libraries[name] = [heap_apart(member) for member in members]
    # fenv.o, for one, has SSE instructions and no other use.
    libraries["libc.a"] = own_names.replaceable(
        changed
        for member in libraries["libc.a"]
        for changed in [rename(member, ours, "__musl_")]
        if not member.defines() or member.defines() - ours or changed.defines() & wanted
    )
    functions = own_names.public(replacement, (elf.FUNCTION,))
    for name in ("libc.a", *ZIG_MATH):
        functions |= own_names.public(libraries[name], (elf.FUNCTION,))
    for name, members in libraries.items():
        archive.write(folder / name, own_names.called_by_second(members, functions))
    for name in EMPTY:
        archive.write(folder / name, [])
    defines = sysroot / "include" / "c++" / "defines.txt"
    text = "".join(f"{d}\n" for d in runtime.cxx_defines)
    defines.write_text(text, encoding="utf-8")


def heap_apart(member: archive.Member) -> archive.Member:
    """A member whose heap has other names; what else it has, as strndup, allocates as a program."""
    inner = {name: f"__zig_{name}" for name in own_names.HEAP}
    return archive.Member(member.name, elf.set_apart(member.data, inner))


def rename(member: archive.Member, unwanted: set[str], prefix: str) -> archive.Member:
    """A member whose unwanted definitions have another name."""
    data = elf.rename_definitions(member.data, lambda n: prefix + n if n in unwanted else n)
    return archive.Member(member.name, data)
