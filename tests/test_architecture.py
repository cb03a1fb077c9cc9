"""The layout holds: arrows point one way, and each library has one room."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]

# From the ground up; a room may import rooms before it, and itself.
ROOMS = (
    "errors",
    "words",
    "reading",
    "workspace",
    "catalogue",
    "kernels",
    "store",
    "scoring",
    "scores",
    "findings",
    "api",
    "selection",
    "preflight",
    "pictures",
    "charts",
    "reports",
    "demo",
    "commands",
    "__main__",
)
# Shapes and codes of counts: constants without an import of numba, known to everyone above the words.
EVERYWHERE = {"analysis.kernels.layout"}
SOLE_USERS = {
    "rasterio": {"analysis/reading/raster.py"},
    "plotly": {"analysis/charts/"},
    "streamlit": {"streamlit_app.py", "pages/", "ui/"},
    "numba": {"analysis/kernels/"},
    "pyarrow": {"analysis/store/"},
    "PIL": {"analysis/pictures/"},
    "tomlkit": {"analysis/workspace/toml_text.py"},
}
MOST_LINES = 400


def sources() -> list[Path]:
    found = [PROJECT / "streamlit_app.py"]
    for folder in ("analysis", "ui", "pages"):
        found += sorted((PROJECT / folder).rglob("*.py"))
    return found


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} has a relative import"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "analysis" and len(parts) > 1 and parts[1] in ROOMS else None


@pytest.mark.parametrize("path", sources(), ids=name_of)
def test_no_arrow_runs_back(path: Path) -> None:
    name = name_of(path)
    for module in imports(path):
        top = module.split(".")[0]
        if name.startswith("analysis/"):
            assert top not in ("ui", "pages", "streamlit"), f"{name} imports {module}"
        if name.startswith("ui/"):
            assert top != "pages", f"{name} imports {module}"
        here, there = room_of(name.removesuffix(".py").replace("/", ".")), room_of(module)
        if here and there and module not in EVERYWHERE and not module.startswith("analysis.kernels.layout."):
            assert ROOMS.index(there) <= ROOMS.index(here), f"{name} ({here}) imports {module} ({there})"


def test_every_room_is_known() -> None:
    rooms = {p.stem for p in (PROJECT / "analysis").iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert rooms - {"__init__"} == set(ROOMS)


@pytest.mark.parametrize("library", SOLE_USERS)
def test_each_library_has_one_room(library: str) -> None:
    users = {name_of(p) for p in sources() if library in {m.split(".")[0] for m in imports(p)}}
    assert users, f"{library} is used nowhere: drop it from requirements.in"
    for user in users:
        assert any(user == room or user.startswith(room) for room in SOLE_USERS[library]), f"{user} uses {library}"


@pytest.mark.parametrize("path", sorted((PROJECT / "pages").glob("*.py")), ids=name_of)
def test_pages_only_ask_and_draw(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        defined = isinstance(node, ast.FunctionDef | ast.ClassDef)
        assert not defined, f"{name_of(path)}:{node.lineno} defines something"
        assert not isinstance(node, ast.BinOp), f"{name_of(path)}:{node.lineno} calculates"
    assert not {"numpy", "pandas"} & {m.split(".")[0] for m in imports(path)}


@pytest.mark.parametrize("path", sources(), ids=name_of)
def test_modules_stay_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < MOST_LINES


def test_entry_file_stays_a_router() -> None:
    assert len((PROJECT / "streamlit_app.py").read_text(encoding="utf-8").splitlines()) < 40


def test_the_project_names_no_machine() -> None:
    for path in [*sources(), *sorted((PROJECT / "tests").rglob("*.py")), *sorted(PROJECT.glob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        for word in ("/wo" + "rk/", "/ro" + "ot/", "pypi" + ".org"):
            assert word not in text, f"{name_of(path)} names {word}"
