"""Options of GNU's linkers that change nothing of a static program are taken in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

import ready

# Comma-separated, as behind -Wl; options that LLD has, and options that it refuses.
ACCEPTED = """
--no-warn-rwx-segments --warn-rwx-segments --no-error-rwx-segments --no-warn-execstack
--hash-size=1021 --reduce-memory-overheads --no-undefined-version --hash-style=gnu
--hash-style=both --enable-new-dtags --disable-new-dtags --sort-common
--sort-common=descending --no-sort-common -O1 -z,relro -z,now -z,noexecstack -zrelro -z,defs
--no-copy-dt-needed-entries --copy-dt-needed-entries --push-state,--as-needed,-lm,--pop-state
--warn-common --warn-once --warn-section-align --warn-textrel --no-warn-mismatch --no-keep-memory
--as-needed --no-add-needed --no-undefined --traditional-format -dc -dp -dn --threads --no-threads
--thread-count=4 --detect-odr-violations --ld-generated-unwind-info --spare-dynamic-tags=4
--accept-unknown-input-arch --no-warn-search-mismatch -z,ibt -z,nodump -znodump -z,unique
-z,report-relative-reloc -z,x86-64-v2 -z,isa-level-report=all -z,separate-code
""".split()


@pytest.fixture
def link(tmp_path: Path):
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")

    def run(*words: str) -> tuple[str, bytes]:
        ran = ready.rck("cc", "p.c", "-o", "p", *words, cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
        assert ran.stderr == ""
        return ran.stdout, (tmp_path / "p").read_bytes()

    return run


def test_options_without_effect_are_taken_in_silence(link) -> None:
    with_all = link(*(f"-Wl,{word}" for word in ACCEPTED), "-Xlinker", "--no-warn-rwx-segments")
    # Pages of their own for code are honoured.
    assert with_all == link("-Wl,-z,separate-code")
    assert with_all[0] == ""


def test_options_that_show_or_put_something_do(link) -> None:
    said, program = link("-Wl,--trace", "-Wl,--cref", "-Wl,--build-id=0x1234567890abcdef")
    assert "crt1.o\n" in said and "Cross Reference Table" in said
    assert bytes.fromhex("1234567890abcdef") in program
