"""Files that are damaged: how they are found, and what is said about them."""

from __future__ import annotations

from pathlib import Path


def ends_as_png(path: Path) -> bool:
    """Whether the file's last chunk is the one that ends every PNG."""
    with path.open("rb", buffering=0) as file:
        file.seek(0, 2)
        file.seek(-min(12, file.tell()), 2)
        return file.read(12) == b"\x00\x00\x00\x00IEND\xaeB`\x82"


def why_unreadable(path: Path, error: BaseException) -> str:
    """One sentence on what is wrong with the file, so that the user knows what to do about it."""
    try:
        size = path.stat().st_size
    except OSError as found:
        return f"{path.name} cannot be opened ({found.strerror or found}). Check the path and its permissions: {path}"
    if size == 0:
        return f"{path.name} is empty (0 bytes). Write it again: {path}"
    cause = str(error.__cause__ or error).strip().splitlines()
    detail = cause[0].replace(str(path), path.name)[:160] if cause else type(error).__name__
    return (
        f"{path.name} cannot be read as a raster ({size} bytes): {detail}. "
        f"It is cut off or not an image; write it again: {path}"
    )
