"""Several consoles side by side in one terminal: each a small terminal of its own.

What a core sends to COM1 goes through a terminal emulator (pyte), so that a guest may move its
cursor and colour its text; rich lays the screens out. Both come with the extra `view`. Keys go to
the console in focus; Ctrl-T moves the focus, Ctrl-] ends.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rockcreek.consoles.console import PORT_STDOUT, Sink
from rockcreek.consoles.port_files import BootConsole, PortFiles
from rockcreek.errors import UsageError
from rockcreek.units import format_ps

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.layout import Layout
    from rich.text import Text

NEXT_KEY = b"\x14"
_REFRESH_S = 0.1
# Smaller than this nobody can read a console; a frame takes two more each way.
_LEAST_COLUMNS, _LEAST_LINES = 16, 2
_FRAME = 2
_Chunk = tuple[int, int, int, bytes]


class View(BootConsole):
    """The screens of some cores, and which of them has the keys."""

    def __init__(
        self,
        cores: Sequence[int],
        *,
        title: Callable[[int], str],
        time_ps: Callable[[], int],
        focus: int | None = None,
        files: PortFiles | None = None,
    ) -> None:
        super().__init__(Sink("stdout"), Sink("stderr"), files=files, only=None, lines=None)
        console, pyte = _libraries()
        self._terminal = console
        self._pyte = pyte
        self._cores = tuple(cores)
        self._title = title
        self._time_ps = time_ps
        self._focus = self._cores.index(focus) if focus is not None else 0
        self._grid_columns = math.ceil(math.sqrt(len(self._cores)))
        columns, lines = self._size()
        self._screens = {core: pyte.Screen(columns, lines) for core in self._cores}
        self._streams = {core: pyte.ByteStream(self._screens[core]) for core in self._cores}
        for screen in self._screens.values():
            # Kernels end their lines with a line feed alone, as our own consoles take them.
            screen.set_mode(pyte.modes.LNM)
        self._live: Any = None
        self._drawn = 0.0

    @property
    def focus(self) -> int:
        """The core that keys go to."""
        return self._cores[self._focus]

    def route(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Whom typed bytes are for; moves the focus where they say so."""
        first, *others = data.split(NEXT_KEY)
        yield self.focus, first
        for part in others:
            self._focus = (self._focus + 1) % len(self._cores)
            self._drawn = 0.0
            yield self.focus, part

    def feed(self, chunks: list[_Chunk]) -> None:
        super().feed(chunks)
        for _time_ps, core, port, data in chunks:
            if port == PORT_STDOUT and core in self._streams:
                self._streams[core].feed(data)

    def refresh(self) -> None:
        """Draw, unless that was just done."""
        now = time.monotonic()
        if self._live is not None and now - self._drawn >= _REFRESH_S:
            self._drawn = now
            self._live.update(self._layout(), refresh=True)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """The whole terminal is ours; afterwards it shows each console's last screen."""
        from rich.live import Live

        with Live(console=self._terminal, screen=True, auto_refresh=False) as live:
            self._live = live
            yield
        self._live = None
        for core in self._cores:
            print(f"-- {self._title(core)}")
            lines = [line.rstrip() for line in self._screens[core].display]
            print("\n".join(lines).strip("\n"), flush=True)

    def _size(self) -> tuple[int, int]:
        """Columns and lines of each console in the terminal as it is now."""
        width, height = self._terminal.size
        rows = math.ceil(len(self._cores) / self._grid_columns)
        columns = width // self._grid_columns - _FRAME
        lines = (height - 1) // rows - _FRAME
        if columns < _LEAST_COLUMNS or lines < _LEAST_LINES:
            size = f"{width} x {height} characters"
            raise UsageError(
                f"--view: {len(self._cores)} consoles do not fit into {size}",
                hint="name fewer cores, or make the terminal larger",
            )
        return columns, lines

    def _layout(self) -> Layout:
        from rich.layout import Layout
        from rich.text import Text

        columns, lines = self._fitting_size()
        rows = []
        for start in range(0, len(self._cores), self._grid_columns):
            row = Layout(size=lines + _FRAME)
            several = self._cores[start : start + self._grid_columns]
            parts = [Layout(self._panel(core), size=columns + _FRAME) for core in several]
            row.split_row(*parts)
            rows.append(row)
        keys = "Ctrl-T: next console   Ctrl-]: end"
        footer = Layout(Text(f" {format_ps(self._time_ps())}   {keys}", no_wrap=True), size=1)
        whole = Layout()
        whole.split_column(*rows, footer)
        return whole

    def _fitting_size(self) -> tuple[int, int]:
        """The consoles in the size that the terminal has by now, if it is large enough."""
        screen = self._screens[self._cores[0]]
        try:
            columns, lines = self._size()
        except UsageError:
            return screen.columns, screen.lines
        if (columns, lines) != (screen.columns, screen.lines):
            for one in self._screens.values():
                one.resize(lines, columns)
        return columns, lines

    def _panel(self, core: int) -> RenderableType:
        from rich import box
        from rich.panel import Panel

        has_keys = core == self.focus
        return Panel(
            self._text(core, cursor=has_keys),
            title=self._title(core),
            box=box.HEAVY if has_keys else box.SQUARE,
            border_style="bold" if has_keys else "dim",
            padding=0,
        )

    def _text(self, core: int, *, cursor: bool) -> Text:
        from rich.text import Text

        screen = self._screens[core]
        text = Text(no_wrap=True, end="")
        for y in range(screen.lines):
            row = screen.buffer[y]
            at = screen.cursor.x if cursor and y == screen.cursor.y else -1
            cells = [(row[x].data, _style(row[x], reverse=x == at)) for x in range(screen.columns)]
            for style, same in groupby(cells, key=itemgetter(1)):
                text.append("".join(data for data, _ in same), style)
            text.append("\n")
        return text


def _style(char: Any, *, reverse: bool) -> str:
    """A character's attributes in rich's words."""
    words = [name for name in ("bold", "italics", "underscore") if getattr(char, name)]
    names = {"italics": "italic", "underscore": "underline"}
    words = [names.get(word, word) for word in words]
    if char.reverse != reverse:
        words.append("reverse")
    words.append(_colour(char.fg))
    if char.bg != "default":
        words += ["on", _colour(char.bg)]
    return " ".join(words)


def _colour(name: str) -> str:
    """pyte has names of its own, and hexadecimal digits for the colours beyond them."""
    if len(name) == 6 and all(digit in "0123456789abcdef" for digit in name):
        return f"#{name}"
    bright = name.removeprefix("bright")
    plain = {"brown": "yellow"}.get(bright, bright)
    return f"bright_{plain}" if bright != name else plain


def _libraries() -> tuple[Any, Any]:
    """A terminal that can be drawn on, and the emulator; or why not."""
    try:
        import pyte
        from rich.console import Console
    except ImportError as error:
        raise UsageError(
            f"--view needs the package {error.name}, which is not installed",
            hint="pip install 'rockcreek[view]'",
        ) from error
    console = Console()
    if not (sys.stdin.isatty() and console.is_terminal) or console.is_dumb_terminal:
        raise UsageError(
            "--view needs a terminal that can move its cursor, for input and output",
            hint="elsewhere: --console CORE for one console, --output-dir DIR for all of them",
        )
    return console, pyte
