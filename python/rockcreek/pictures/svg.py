"""What the pictures that need no library share: colours, themes, the frame of an SVG.

Amounts are in the colours of "cividis", kinds in Okabe and Ito's, which people of any colour
vision can distinguish. Texts and rules follow the theme: light, dark, or whatever the reader's
browser prefers.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from rockcreek.units import PS_PER_SECOND

# Ends and middle of cividis, from little to much.
_SCALE = ((0, 34, 78), (124, 123, 120), (254, 232, 56))
# From which share on black is read better than white.
_BRIGHT = 0.55
KINDS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442")
THEMES = ("auto", "light", "dark")
_LIGHT = "--rck-ink:#1b1b1f;--rck-paper:#fff;--rck-rule:#c9c9d1;--rck-panel:#f1f1f4"
_DARK = "--rck-ink:#ececf1;--rck-paper:#16161a;--rck-rule:#4a4a55;--rck-panel:#24242b"


def colour(share: float) -> str:
    """The colour that stands for a share from 0 to 1.

    >>> colour(0.0), colour(0.5), colour(1.0)
    ('#00224e', '#7c7b78', '#fee838')
    """
    return "#" + "".join(f"{part:02x}" for part in rgb(share))


def rgb(share: float) -> tuple[int, ...]:
    """A colour as red, green and blue."""
    share = min(1.0, max(0.0, share))
    low, high = (_SCALE[0], _SCALE[1]) if share < 0.5 else (_SCALE[1], _SCALE[2])
    part = (share if share < 0.5 else share - 0.5) * 2
    return tuple(round(a + (b - a) * part) for a, b in zip(low, high, strict=True))


def ink(share: float) -> str:
    """The colour of a text on the colour of this share: black or white."""
    return "#000" if share > _BRIGHT else "#fff"


def text(value: object) -> str:
    """A value of a result as text, which no reader takes for markup.

    >>> text("<b>"), text(7)
    ('&lt;b&gt;', '7')
    """
    return escape(str(value))


def picture(width: float, height: float, parts: Iterable[str], theme: str = "auto") -> str:
    """A whole file, with a ground in the theme's colour."""
    style = f".rck{{{_DARK if theme == 'dark' else _LIGHT};fill:var(--rck-ink)}}"
    if theme == "auto":
        style += f"@media(prefers-color-scheme:dark){{.rck{{{_DARK}}}}}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rck" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" font-family="sans-serif"><style>{style}</style>'
        f'<rect width="{width:g}" height="{height:g}" style="fill:var(--rck-paper)"/>'
        f"{''.join(parts)}</svg>\n"
    )


def clock(time_ps: int) -> str:
    """An instant as pictures write it.

    >>> clock(1_500_000), clock(16_313_754_375), clock(0)
    ('1.5 us', '16.31 ms', '0 us')
    """
    unit, length = ("s", PS_PER_SECOND) if time_ps >= PS_PER_SECOND else ("ms", 10**9)
    if time_ps < 10**9:
        unit, length = "us", 10**6
    return f"{time_ps / length:.4g} {unit}"
