"""Readers of what is no document: requests, lists of cores, variables, plans of what is loaded,
tables, snapshots, and programs that are run and linked."""

from __future__ import annotations

import gzip
import io
import json
import socket
from functools import partial
from pathlib import Path
from typing import Any

import guest_kernels
import rockcreek
from guest_programs import compile_program
from readers.target import Target, call, rck
from rockcreek import description
from rockcreek.booting import load_plan
from rockcreek.forwarding import packet_file
from rockcreek.forwarding.packet_file import INBOUND, OUTBOUND
from rockcreek.smp import machine
from rockcreek.socket_server.server import SocketServer
from rockcreek.tracing import selection
from rockcreek.units import parse_bytes, parse_duration_ps

_REQUESTS = "\n".join(
    json.dumps({"id": n, **request})
    for n, request in enumerate(
        (
            {"do": "time"},
            {"do": "read", "address": 0x82000000, "length": 64, "core": 1},
            {"do": "write", "address": 0x82000000, "data": "2a000000"},
            {"do": "registers", "core": 0},
            {"do": "set_register", "core": 0, "name": "eax", "value": 7},
            {"do": "mpb", "tile": 0},
            {"do": "set_mpb", "tile": 0, "offset": 32, "data": "0102"},
            {"do": "crb", "tile": 0, "offset": 0},
            {"do": "read", "address": 0x1000, "length": 4, "space": "linear"},
            {"do": "hold"},
            {"do": "until", "at_ps": 5_000_000},
            {"do": "go"},
        )
    )
)
_SEARCH = "".join(
    f'{{"rank":{n % 3},"ns":{n * 900},"what":"{what}","key":"{n:016x}","g":{n},"h":9,"open":{n}}}\n'
    for n, what in enumerate(("evaluate", "expand") * 3)
)
# A guest ends as it likes; the linker, which is not ours, dies of some objects, and rck says so.
_GUESTS = frozenset(range(256))
_LINKER_DIED = frozenset({134, 135, 136, 139})
_WORDS = (
    "--cores 0,10,40-47\n--hold 40,41\n--release 41@5ms\n--load {boot}@0xFF000000:core=0-3\n"
    "--module {boot}=args\n--kernel {boot}\n--env A=B\n"
    "--until 5ms\n--memory-limit 2G\n--trace-only time=1ms..2ms\n--trace-only core=0-3\n"
)


def _requests(path: str) -> int:
    """The lines as a client sends them to a chip, and the instants that it then runs to."""
    chip = rockcreek.Chip("scc")
    place = Path(f"{path}.socket")
    place.unlink(missing_ok=True)
    outside = SocketServer(place, chip, 10**9)
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(place))
            client.setblocking(False)
            data = Path(path).read_bytes()[: 1 << 16]
            client.send(data + b"\n")
            for _ in range(4):
                outside.let_in(lambda: True)
                chip.run_slice(min(outside.next_ps(), chip.time_ps + 10**7), 50)
            for line in client.recv(1 << 20).splitlines():
                json.loads(line)
    except BlockingIOError:
        pass
    finally:
        outside.close()
    return 0


def _words(boot: Path, path: str) -> int:
    """Options, one a line: what the command line makes of them."""
    from rockcreek.cli.commands.run import parse_variables

    text = Path(path).read_bytes().decode("utf-8", "surrogateescape").replace("{boot}", str(boot))
    chip = description.load("scc")
    given: dict[str, list[str]] = {}
    for line in text.split("\n"):
        name, _, value = line.partition(" ")
        given.setdefault(name, []).append(value.replace("\0", ""))
    one = {key: values[-1] for key, values in given.items()}
    worst = 0

    def turn(act: Any) -> None:
        nonlocal worst
        worst = max(worst, call(lambda _: act())(path))

    turn(lambda: load_plan.parse_cores(one.get("--cores", "0"), 48, "--cores"))
    turn(lambda: parse_variables(tuple(given.get("--env", ()))))
    turn(lambda: parse_duration_ps(one.get("--until", "1ms")))
    turn(lambda: parse_bytes(one.get("--memory-limit", "1G")))
    turn(lambda: selection.parse(given.get("--trace-only", ())))
    turn(
        lambda: load_plan.plan(
            chip,
            kernels=given.get("--kernel", ()),
            cores=one.get("--cores"),
            modules=given.get("--module", ()),
            images=given.get("--load", ()),
            hold=one.get("--hold"),
            releases=given.get("--release", ()),
            platform=one.get("--platform"),
            memory=one.get("--memory"),
        )
    )
    return worst


def _table() -> bytes:
    from pyarrow import parquet

    from rockcreek.results import frames, rows

    built = compile_program(Path(__file__).parents[2] / "examples/hello/hello.c", ["-O1", "-lrcce"])
    found = [rows.of_run(rockcreek.run(built, n=n, power=True).to_dict()) for n in (1, 2)]
    to = io.BytesIO()
    parquet.write_table(frames.to_arrow(found), to)
    return to.getvalue()


def _campaign(path: str) -> int:
    from rockcreek.campaigns import load

    folder = Path(f"{path}.campaign")
    folder.mkdir(exist_ok=True)
    (folder / "runs.parquet").write_bytes(Path(path).read_bytes())
    load(folder)
    return 0


def _packets() -> bytes:
    """The record of a connection that a core has refused."""
    syn = bytes.fromhex("4500002c0000400040060000c0a801fec0a80101c0000050000000000000000060020000")
    both = ((10**12, syn, INBOUND), (10**12 + 5, syn[:40], OUTBOUND))
    blocks = [packet_file.block_of(packet_file.Packet(*one)) for one in both]
    return packet_file.header() + b"".join(blocks)


def _read_packets(path: str) -> int:
    packet_file.read(path)
    return 0


def _guest_kernel(path: str) -> int:
    """The ELF file of a guest's kernel, which a bzImage has packed."""
    packed = Path(f"{path}.bzImage")
    packed.write_bytes(guest_kernels.image(gzip.compress(Path(path).read_bytes(), 1)))
    machine.read_kernel(str(packed), None)
    return 0


def more_targets(folder: Path) -> list[Target]:
    """Readers of requests, words, tables, snapshots and programs, with good inputs."""
    root = Path(__file__).parents[2]
    program = compile_program(root / "examples/ring/ring.c", ["-O1", "-lrcce"])
    (folder / "boot").write_bytes(program.read_bytes())
    snapshot = folder / "good.rck"
    rockcreek.run(program, n=2, until_ps=10**8, save=snapshot)
    linked = folder / "good.o"
    assert rck("cc", "-c", str(root / "examples/ring/ring.c"), "-o", str(linked))("") == 0
    out, table = str(folder / "out"), _table()
    limits = ("-q", "--sandbox", "off", "--until", "2ms", "--timeout", "3s", "--memory-limit", "2G")
    return [
        Target("requests", "lines", _REQUESTS.encode(), _requests, share=2.0),
        Target("words", "lines", _WORDS.encode(), partial(_words, folder / "boot")),
        Target("speedup-table", "bytes", table, rck(
            "plot", "speedup", "{}.parquet", "--out", f"{out}.svg", "--force"), share=0.3),
        Target("search", "lines", _SEARCH.encode(), rck(
            "plot", "search", "{}", "--out", f"{out}.svg", "--force"), share=0.3),
        Target("campaign-table", "bytes", table, call(_campaign)),
        Target("snapshot", "bytes", snapshot.read_bytes(), rck("show", "core", "{}", "--core", "0"),
               share=0.1),
        Target("restore", "bytes", snapshot.read_bytes(), rck(
            "run", *limits, "--restore", "{}"), share=0.05, more_codes=_GUESTS),
        Target("guest-kernel", "bytes", guest_kernels.elf(bytes.fromhex("fb0f0100cf")),
               call(_guest_kernel)),
        Target("bzimage", "bytes", guest_kernels.image(gzip.compress(guest_kernels.elf(b"\xcf"))),
               rck("smp", "--patches", "--image", "{}")),
        Target("packets", "bytes", _packets(), call(_read_packets)),
        Target("run", "elf", program.read_bytes(), rck("run", *limits, "-n", "2", "{}"),
               share=0.3, more_codes=_GUESTS),
        Target("cc", "elf", linked.read_bytes(), rck("cc", "{}.o", "-lrcce", "-o", out),
               share=0.05, more_codes=_LINKER_DIED),
    ]  # fmt: skip
