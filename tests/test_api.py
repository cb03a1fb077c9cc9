"""The way in for notebooks: three lines, as the README shows them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from tests.datasets import land_cover

PROJECT = Path(__file__).resolve().parents[1]


def test_three_lines_of_the_readme(tmp_path: Path) -> None:
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(blocks) == 1
    code = blocks[0]
    lines = [line for line in code.splitlines() if line and not line.startswith(("from ", "#"))]
    assert len(lines) == 3
    workspace = land_cover(tmp_path, 3)
    names: dict[str, object] = {}
    for path in re.findall(r'open_workspace\("([^"]+)"\)', code):
        code = code.replace(path, workspace.as_posix())
    code = re.sub(r'\.run\("[^"]+"\)', '.run("m@d")', code)
    from analysis import open_workspace

    open_workspace(workspace).run("m@d").score(workers=1)
    exec(compile(code, "README.md", "exec"), names)
    assert isinstance(names["miou"], float)
    assert 0 < names["miou"] < 1
    assert isinstance(names["matrices"], np.ndarray)
    assert names["matrices"].shape == (3, 5, 6)
