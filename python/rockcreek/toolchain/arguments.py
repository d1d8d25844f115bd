"""Reading a compiler command line as GCC and Clang read it.

Only what decides *which* commands run is understood here: the inputs, where
the output goes, at which stage to stop, and what belongs to the linker. All
else is handed to Clang as it stands, which checks it and words its errors.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from pathlib import Path, PurePath

from .code import own_warnings
from .paths import ToolchainError


class Stage(Enum):
    """Where the work ends."""

    COMPILE = "compile"
    """Clang alone: -c, -S, -E, -M, -fsyntax-only, or a question to it."""

    LINK = "link"
    """A program."""


class Kind(Enum):
    """What an input on the command line is."""

    SOURCE = "source"
    LINKER = "linker"


@dataclass(frozen=True)
class Input:
    """One input in its place: a source with its language, or a word for the
    linker (an object, an archive, ``-lm``, a linker option)."""

    kind: Kind
    text: str
    language: str | None = None


@dataclass
class CommandLine:
    """A command line taken apart."""

    stage: Stage = Stage.LINK
    output: str | None = None
    inputs: list[Input] = field(default_factory=list)
    compile_flags: list[str] = field(default_factory=list)
    debug_given: bool = False
    standard_includes: bool = True
    start_files: bool = True
    default_libraries: bool = True
    verbose: bool = False
    show: bool = False
    compiler: str = "clang"
    """Who compiles: ``clang``, or ``gcc``, the host's."""
    threads: bool = False
    """-pthread: a program of threads, one on each core."""
    core_threads: bool = False
    """-pthread=core: a program on each core, whose threads take turns on that core."""
    openmp: bool = False
    """-fopenmp: threads by directives."""
    questions: bool = False
    """Something like ``--version`` that needs no input."""

    @property
    def sources(self) -> list[Input]:
        """The inputs that are compiled first."""
        return [item for item in self.inputs if item.kind is Kind.SOURCE]


C_SOURCES = {".c", ".i"}
CXX_SOURCES = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cp", ".ii"}
ASM_SOURCES = {".s", ".S", ".sx"}
SOURCES = C_SOURCES | CXX_SOURCES | ASM_SOURCES

# Options whose value is the next word, when it is not part of the option.
# "-o", "-x" and the linker's own are handled by name.
COMPILE_VALUES = {
    "-I", "-D", "-U", "-A", "-include", "-imacros", "-isystem", "-iquote",
    "-idirafter", "-iprefix", "-iwithprefix", "-isysroot", "--sysroot",
    "-MF", "-MT", "-MQ", "-Xclang", "-Xpreprocessor", "-Xassembler",
    "-mllvm", "--param", "-std", "-target",
}  # fmt: skip
LINK_VALUES = {"-T", "-u", "-e", "-z", "-L", "-l", "-Map"}
COMPILERS = ("clang", "gcc")
COMPILER_VARIABLE = "RCK_CC_WITH"
STOPS = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--analyze"}
QUESTIONS = {
    "--version", "-dumpmachine", "-dumpversion", "--help", "-help",
    "-print-search-dirs", "-print-resource-dir", "-###",
}  # fmt: skip
REFUSED = {
    "-shared": "a guest program is static: the chip's kernel loads no shared libraries",
    "-m64": "the cores are 32-bit (i586): leave out -m64",
    "-mx32": "the cores are 32-bit (i586): leave out -mx32",
    "-pg": "there is no profiling library for the chip: leave out -pg",
    "-coverage": "there is no coverage library for the chip: leave out -coverage",
    "--coverage": "there is no coverage library for the chip: leave out --coverage",
    "-fprofile-arcs": "there is no coverage library for the chip: leave out -fprofile-arcs",
}
# What the processor does not have: the cores are P54C.
EXTENSIONS = re.compile(r"-m(mmx|3dnow\w*|sse[0-9.a-z]*|ssse3|avx\w*|fma|bmi2?|popcnt|aes|cx16)")
PROCESSORS = {"i386", "i486", "i586", "pentium"}
# Said by many makefiles; all of it is so anyway.
IGNORED = {
    "-static", "-m32", "-no-pie", "-nopie", "-pipe", "-pie", "-static-pie", "-rdynamic", "-dynamic",
    "-static-libgcc", "-static-libstdc++", "-fwhole-program", "-mhard-float",
}  # fmt: skip
# What GCC knows and Clang does not: how it optimises, and what it reports of that. It changes no
# result. ENDBR32, which -fcf-protection puts at each function, is none of the P54C's instructions.
GCC_ALONE = re.compile(
    r"-f(?:no-)?(?:cf-protection|tree-(?!vectorize$)|opt-info|ipa-|graphite|var-tracking|ira-|sched-"
    r"|vect-cost-model|simd-cost-model|function-cse|conserve-stack|crossjumping|dump-|loop-"
    r"|modulo-sched|web$|rename-registers|fat-lto-objects|use-linker-plugin"
    r"|allow-store-data-races|gcse|ivopts|split-wide-types|selective-scheduling|lto-partition"
    r"|diagnostics-show-option|unsafe-loop).*"
    r"|-flto-(?:partition|compression-level)=.*|-m(?:no-)?accumulate-outgoing-args"
    r"|-mpreferred-stack-boundary=.*|-mtune=.*"
)

SANITIZE = "-fsanitize="
# Sanitizers with a library, and what does their work here. Others stop the program by an
# instruction, which needs none (python/rockcreek/inspection/undefined.py says why it stopped).
_MEMORY = "mistakes with memory are found by `rck run --check memory`: leave it out"
_NONE = "there is no library of this sanitizer for the chip: leave it out"
SANITIZERS = {
    "thread": "races are found by `rck run --check races`: leave it out",
    "address": _MEMORY,
    "leak": _MEMORY,
    "memory": "values never written are found by `rck run --check unwritten`: leave it out",
    "local-bounds": "its stops could not be explained: use -fsanitize=bounds",
    **dict.fromkeys(("hwaddress", "fuzzer", "dataflow", "safe-stack", "type", "realtime"), _NONE),
}
TRAPS = {"clang": "-fsanitize-trap=all", "gcc": "-fsanitize-undefined-trap-on-error"}
# The numbers in the traps of local-bounds, the other half of Clang's `bounds`, mean nothing.
NUMBERED = {"-fsanitize=bounds": "-fsanitize=array-bounds"}

JOBS = re.compile(r"^-flto=\d+$")
ALIKE = {"-fopenmp=libomp": "-fopenmp", "-fopenmp=libiomp5": "-fopenmp"}


def parse(arguments: list[str], *, cxx: bool = False) -> CommandLine:
    """Take a command line apart; raise ToolchainError for what cannot be. With `cxx` sources of C
    are C++."""
    line = CommandLine(compiler=chosen(os.environ.get(COMPILER_VARIABLE) or "clang"))
    language: str | None = None
    expanded = as_clang_says(expand(arguments), line.compiler)
    words = iter(expanded)
    for word in words:
        why = refusal(word)
        if why is not None:
            raise ToolchainError(f"{word}: {why}")
        if word == "--with" or word.startswith("--with="):
            line.compiler = chosen(word[7:] if "=" in word else next_word(words, word))
        elif word in {"-o", "-x"}:
            value = next_word(words, word)
            if word == "-o":
                line.output = value
            else:
                language = None if value == "none" else value
        elif word.startswith("-o") and len(word) > 2:
            line.output = word[2:]
        elif word.startswith("-x") and len(word) > 2:
            language = None if word == "-xnone" else word[2:]
        elif word == "-" or not word.startswith("-"):
            c_is_cxx = cxx and language is None and PurePath(word).suffix == ".c"
            line.inputs.append(classify(word, "c++" if c_is_cxx else language))
        elif not own_option(line, word) and not link_option(line, word, words):
            line.compile_flags.append(word)
            if word in COMPILE_VALUES:
                line.compile_flags.append(next_word(words, word))
    stop_by_traps(line)
    if line.compiler == "clang":
        line.compile_flags[:0] = own_warnings.kept_warnings(line.compile_flags)
    return line


def stop_by_traps(line: CommandLine) -> None:
    """Let sanitizers stop the program by an instruction."""
    if any(word.startswith(SANITIZE) for word in line.compile_flags):
        line.compile_flags.append(TRAPS[line.compiler])
    if line.compiler == "clang":
        line.compile_flags[:] = [NUMBERED.get(word, word) for word in line.compile_flags]


def as_clang_says(words: list[str], compiler: str) -> list[str]:
    """Words without those that say what is so anyway, or what GCC alone knows if Clang compiles."""
    gcc = compiler == "gcc" or "--with=gcc" in words or ("--with", "gcc") in pairwise(words)
    taken = []
    for word in words:
        if word == "-march=native":
            said = "rck cc: -march=native is -march=pentium here: the cores are P54C"
            print(said, file=sys.stderr)
        elif word not in IGNORED and (gcc or not GCC_ALONE.fullmatch(word)):
            # One library of OpenMP, and one thread of the linker, whatever they are called.
            taken.append(ALIKE.get(word) or JOBS.sub("-flto", word))
    return taken


def chosen(compiler: str) -> str:
    """A compiler that there is."""
    if compiler not in COMPILERS:
        raise ToolchainError(
            f"no compiler {compiler!r}: one of {', '.join(COMPILERS)}",
            f"--with gcc, or {COMPILER_VARIABLE}=gcc",
        )
    return compiler


def refusal(word: str) -> str | None:
    """Why an option can make no program that a core runs; None if it may."""
    if word in REFUSED:
        return REFUSED[word]
    if word.startswith(("-fopenmp=", "-fopenmp-targets", "-fopenmp-use-tls")):
        return "OpenMP has one library and no other devices here: use -fopenmp"
    if word.startswith(SANITIZE):
        chosen = (SANITIZERS.get(name) for name in word.removeprefix(SANITIZE).split(","))
        return next((why for why in chosen if why), None)
    if EXTENSIONS.fullmatch(word):
        return f"the cores are P54C, i586 without {word[2:].upper()}: leave it out"
    option, _, processor = word.partition("=")
    if option == "-march" and processor not in PROCESSORS:
        return "the cores are P54C: only -march=pentium and older run there"
    if word == "-mfpmath=sse":
        return "the cores have the x87 alone: use -mfpmath=387"
    return None


def expand(arguments: list[str], within: tuple[str, ...] = ()) -> list[str]:
    """Put the words of a response file in the place of `@file`, as compilers do."""
    words: list[str] = []
    for word in arguments:
        if not word.startswith("@") or not Path(word[1:]).is_file():
            words.append(word)
            continue
        if word in within:
            raise ToolchainError(f"{word}: the file names itself")
        try:
            inner = shlex.split(Path(word[1:]).read_text())
        except (OSError, ValueError) as error:
            raise ToolchainError(f"{word}: {error}") from error
        words += expand(inner, (*within, word))
    return words


def next_word(words: Iterator[str], option: str) -> str:
    """The value that follows an option."""
    value = next(words, None)
    if value is None:
        raise ToolchainError(f"option {option} needs a value after it")
    return value


def classify(word: str, language: str | None) -> Input:
    """An input is a source by -x or by its suffix, else the linker's."""
    if language is not None:
        return Input(Kind.SOURCE, word, language)
    if word == "-" or PurePath(word).suffix in SOURCES:
        return Input(Kind.SOURCE, word)
    return Input(Kind.LINKER, word)


def own_option(line: CommandLine, word: str) -> bool:
    """Options that change what this driver does; True if it was one."""
    if word in STOPS:
        line.stage = Stage.COMPILE
        line.compile_flags.append(word)
    elif word in QUESTIONS or word.startswith(("-print-", "--print-")):
        line.questions = True
        line.compile_flags.append(word)
    elif word == "--show":
        line.show = True
    elif word in ("-pthread", "-pthread=core"):
        line.threads |= word == "-pthread"
        line.core_threads |= word == "-pthread=core"
    elif word in ("-fopenmp", "-fno-openmp"):
        line.openmp = word == "-fopenmp"
        line.threads |= line.openmp
    elif word in ("-v", "--verbose"):
        line.verbose = True
    elif word in ("-nostdinc", "-nostdlibinc"):
        line.standard_includes = False
    elif word == "-nostdlib":
        line.start_files = line.default_libraries = False
    elif word in ("-nodefaultlibs", "-nolibc"):
        line.default_libraries = False
    elif word == "-nostartfiles":
        line.start_files = False
    elif word.startswith("-g"):
        line.debug_given = True
        line.compile_flags.append(word)
    else:
        return False
    return True


def link_option(line: CommandLine, word: str, words: Iterator[str]) -> bool:
    """Options for the linker, kept in their place among the inputs."""
    values: list[str]
    if word.startswith("-Wl,"):
        values = word[4:].split(",")
    elif word == "-Xlinker":
        values = [next_word(words, word)]
    elif word in ("-s", "-r"):
        values = [word]
        if word == "-s":
            line.debug_given = True
    elif word in LINK_VALUES:
        values = [word, next_word(words, word)]
    elif word[:2] in ("-l", "-L", "-T", "-u", "-z") and len(word) > 2:
        values = [word]
    else:
        return False
    line.inputs.extend(Input(Kind.LINKER, value) for value in values)
    return True


# What the compiler makes of a source, without -o.
SUFFIXES = {"-c": ".o", "-S": ".s"}
# Options by which the compiler puts more files beside its output, or names it otherwise.
SEVERAL_OUTPUTS = ("-save-temps", "--save-temps", "-gsplit-dwarf", "-emit-llvm")


def object_suffix(line: CommandLine) -> str | None:
    """The suffix of the one file that the compiler makes of a source; None if there are others.

    >>> object_suffix(CommandLine(compile_flags=["-O2", "-c"]))
    '.o'
    """
    if any(flag.startswith(SEVERAL_OUTPUTS) for flag in line.compile_flags):
        return None
    return next((SUFFIXES[flag] for flag in line.compile_flags if flag in SUFFIXES), None)


def dependencies_of(line: CommandLine, target: str) -> list[str]:
    """-MD and -MMD name their file, and what depends, after the output: here after the real one.

    >>> dependencies_of(CommandLine(compile_flags=["-c", "-MD"]), "out/a.o")
    ['-MF', 'out/a.d', '-MQ', 'out/a.o']
    """
    flags = line.compile_flags
    if not {"-MD", "-MMD"} & set(flags):
        return []
    names_file = any(flag.startswith("-MF") for flag in flags)
    names_target = any(flag.startswith(("-MT", "-MQ")) for flag in flags)
    file = [] if names_file else ["-MF", f"{PurePath(target).with_suffix('.d')}"]
    return [*file, *([] if names_target else ["-MQ", target])]
