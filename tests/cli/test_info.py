"""`rck info FILE` checks what `rck run --chip FILE` checks; descriptions in short form."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rockcreek
from rockcreek import description as descriptions
from rockcreek.cli.app import app
from rockcreek.errors import ConfigError, UsageError

HEAD = 'schema = 1\nbase = "scc"\nname = "mine"\ntitle = "Mine"\n'


def written(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(HEAD + text)
    return str(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[cache]\nl2_sise = 1\n", "cache.l2_sise: is not a key .*; did you mean 'l2_size'"),
        ("[cahce]\nl2_size = 1\n", "cahce: is not a key .*; did you mean 'cache'"),
        ("[topology]\ncolums = { value = 8 }\n", "did you mean 'columns'"),
        ('[cache]\nl2_size = "5 parsecs"\n', "'5 parsecs' is not a size in bytes"),
        ('[clocks]\nmesh = "800 GHz"\n', "'800 GHz' is not a number of MHz"),
        ('[cache]\nl2_size = { value = 524288, unit = "KB" }\n', 'is "KB"; allowed: "bytes"'),
        ("[cache]\nl2_size = 1000\n", "cache.l2_size"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, told: str) -> None:
    path = written(tmp_path, text)
    done = CliRunner().invoke(app, ["info", path], standalone_mode=False)
    assert isinstance(done.exception, ConfigError) and done.exception.hint
    with pytest.raises(ConfigError, match=told) as error:
        rockcreek.Chip(path)
    assert str(error.value) == str(done.exception)


def test_short_forms_are_completed(tmp_path: Path) -> None:
    short = written(
        tmp_path, '[cache]\nl2_size = "512 KiB"\nl2_ways = 8\n[clocks]\nmesh = "1600 MHz"\n'
    )
    found = rockcreek.Chip(short).description
    assert found.values["cache"]["l2_size"] == {
        "value": 524288, "unit": "bytes", "source": ["rockcreek"],
    }  # fmt: skip
    assert found.clocks == "533/1600/800"
    done = CliRunner().invoke(app, ["info", "--toml", short], standalone_mode=False)
    whole = tmp_path / "whole.toml"
    whole.write_text(done.stdout)
    again = descriptions.load(str(whole))
    assert (again.text, again.sha256) == (found.text, found.sha256)


def test_whole_descriptions_stay_as_they_are() -> None:
    for preset in ("scc", "scc-128", "scc-512"):
        found = descriptions.load(preset)
        assert found.text == Path(found.origin).read_text()


def test_with_values() -> None:
    real = descriptions.load("scc")
    larger = real.with_values({"cache.l2_size": "512K", "timing.memory.line_occupancy": 1})
    rockcreek.Chip(larger)
    assert larger.values["cache"]["l2_size"]["value"] == 1 << 19
    assert real.values["cache"]["l2_size"]["value"] == 1 << 18
    for key in ("cache.l2_sise", "cahce.l2_size", "cache", "cache.l2_size.value"):
        with pytest.raises(UsageError, match="is not a key"):
            real.with_values({key: 1})
