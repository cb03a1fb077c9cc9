"""Patterns that name files and say which belong together: ``labels/{date}_mask_{n}.tif``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from analysis.errors import WorkspaceError
from analysis.words.files import EXTENSIONS
from analysis.words.order import normal

_FIELD = re.compile(r"\{([A-Za-z_]\w*)\}")
_ANY_EXTENSION = ".*"
_EXTENSIONS = "|".join(sorted(re.escape(e) for e in EXTENSIONS))


@dataclass(frozen=True)
class Pattern:
    """A file name, or a path under a folder, with fields in braces.

    A field matches anything but ``/``; ``{n}`` matches digits and is compared as a number. ``.*`` at the end
    stands for any known raster extension, and so does no extension at all; one that is spelled out matches in
    any case. A text without fields is a folder (its rasters are ``{id}.*``) or, if it ends like a raster, one file.
    Names are compared in Unicode's NFC form.

    Raises
    ------
    WorkspaceError
        Braces that are no field, or a star that is no extension.
    """

    text: str

    def __post_init__(self) -> None:
        rest = _FIELD.sub("", self.text)
        if "{" in rest or "}" in rest:
            raise WorkspaceError(
                f'the pattern "{self.text}" has a brace that is no field. A field is a word in braces, such as {{id}}.'
            )
        if "*" in rest.removesuffix(_ANY_EXTENSION):
            raise WorkspaceError(
                f'the pattern "{self.text}" has a star. What differs from file to file is a field in braces, such as '
                "{id}; only an extension can be a star: {id}.*"
            )

    @cached_property
    def is_folder(self) -> bool:
        """Whether the text names a folder."""
        return "{" not in self.text and not self.text.lower().endswith((*EXTENSIONS, _ANY_EXTENSION))

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Folders and the file name, from left to right, in NFC; a folder pattern is spelled out."""
        text = self.text.replace("\\", "/")
        if self.is_folder:
            text = text.rstrip("/") + "/{id}" + _ANY_EXTENSION
        elif "}" in text and not {"/", "."} & set(text.rpartition("}")[2]):
            text += _ANY_EXTENSION
        return tuple(normal(p) for p in text.split("/") if p not in ("", "."))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields, in order, each once."""
        return tuple(dict.fromkeys(_FIELD.findall("/".join(self.parts))))

    def matcher(self, position: int, known: dict[str, str]) -> re.Pattern[str]:
        """Regular expression for one part of the path.

        Parameters
        ----------
        position : int
            Index into ``parts``.
        known : dict
            Values of the fields that stand in parts further left; a field that stands twice must agree.
        """
        part = self.parts[position]
        ending = ""
        if position == len(self.parts) - 1:
            if part.endswith(_ANY_EXTENSION):
                part, ending = part[: -len(_ANY_EXTENSION)], f"(?i:{_EXTENSIONS})"
            elif (dot := part.rfind(".")) >= 0 and part[dot:].lower() in EXTENSIONS:
                part, ending = part[:dot], f"(?i:{re.escape(part[dot:])})"
        pieces, at, seen = [], 0, set()
        for field in _FIELD.finditer(part):
            pieces.append(re.escape(part[at : field.start()]))
            name = field[1]
            if name in known:
                pieces.append(re.escape(normal(known[name])))
            elif name in seen:
                pieces.append(f"(?P={name})")
            else:
                pieces.append(f"(?P<{name}>{'[0-9]+' if name == 'n' else '[^/]+'})")
                seen.add(name)
            at = field.end()
        pieces.append(re.escape(part[at:]))
        return re.compile("".join(pieces) + ending)
