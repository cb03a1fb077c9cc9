"""A gallery of objects: each with what is around it and the outlines of both maps, a page of them at a time."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.pictures.object_crop import PREDICTION_LINE, TRUTH_LINE, crop_of
from analysis.pictures.small import Small
from analysis.pictures.thumbnails import Wanted
from analysis.scores import EdgeSet
from analysis.selection.objects import Positions
from analysis.words.classes import OUTSIDE
from analysis.words.outcomes import OUTCOMES, SIDE_LABELS, UNTOUCHED
from ui import drill, loaders, section
from ui.choice import keep
from ui.gallery.component import GalleryPage, GalleryTile, gallery
from ui.selection import View
from ui.small_objects import downloads, filters, state
from ui.small_objects.head import over
from ui.small_objects.numbers import Shapes, listed
from ui.text import escape, some

PER_PAGE = 40
KEY = "objects"
_PATIENCE = 0.6  # seconds that a run of the page waits for pictures; those that take longer are asked for again
_LEGEND = (("ground truth, thick", TRUTH_LINE), ("prediction, thin", PREDICTION_LINE))


def draw(view: View, found: Shapes, index: int, areas: EdgeSet) -> None:
    """The filters, the gallery and the files."""
    place = section.head("Browse the objects")
    wish = filters.draw(place, found, index, areas)
    positions = listed(view, wish.filter, wish.order)
    state.follow((view.run.key, view.selection.query(), repr(wish)))
    downloads.draw(place, view, found, wish, positions)
    what = some(len(positions), "object")
    of = "" if wish.filter.class_index is None else f" of {found.classes.names[wish.filter.class_index]}"
    st.caption(
        escape(f"{what}{of} on {over(view, found)}, {wish.words['order']}. ")
        + "Outlines are of all objects of the class; those beside the object are pale. Click a picture, or press Enter "
        "on it, to see the object on its tile."
    )
    if not len(positions):
        st.info("No object is like that. Clear a filter to see objects again.", icon=":material/filter_alt:")
        return
    _draw_page(view, found, positions, wish.order != "lost", state.call())


@st.fragment(key=KEY)
def _draw_page(view: View, found: Shapes, positions: Positions, by_size: bool, call: int) -> None:
    many = -(-len(positions) // PER_PAGE)
    page = _page(many)
    first = (page - 1) * PER_PAGE
    rows = positions[first : first + PER_PAGE].tolist()
    pictures = loaders.thumbnails(view.run, [_wanted(found, row) for row in rows], _PATIENCE)
    shown = [
        _tile(found, row, first + i + 1, by_size, p) for i, (row, p) in enumerate(zip(rows, pictures, strict=True))
    ]
    by_id = {tile.id: row for tile, row in zip(shown, rows, strict=True)}
    gallery(
        shown,
        "",
        GalleryPage(page, many, f"Objects {first + 1:,} to {first + len(rows):,} of {len(positions):,}"),
        _LEGEND,
        key=KEY + "_gallery",
        on_pick=lambda picked: drill.follow(link_to(found, by_id[picked])),
        on_turn=lambda to: state.put(state.LEAF, str(to)),
        flowing=True,
        call=call,
    )


def link_to(found: Shapes, row: int) -> drill.Link:
    """The tile of an object, with the object framed."""
    table = found.table
    return {
        "rank": "damage",
        "cls": found.classes.names[int(table["cls"][row])],
        "tile": str(found.counts.tiles["id"].iloc[int(table["tile"][row])]),
        "object": str(int(table["number"][row]) + 1),
    }


def _wanted(found: Shapes, row: int) -> Wanted:
    table = found.table
    tile = found.counts.tiles.iloc[int(table["tile"][row])]
    top, left, bottom, right = (int(table[name][row]) for name in ("top", "left", "bottom", "right"))
    side, cls = int(table["side"][row]), int(table["cls"][row])
    crop = crop_of(side, cls, (top, left, bottom, right), int(tile["height"]), int(tile["width"]))
    return Wanted(str(tile["id"]), "object", crop=crop)


def _tile(found: Shapes, row: int, number: int, by_size: bool, picture: Small | None) -> GalleryTile:
    table, classes = found.table, found.classes
    at, side, taken = int(table["tile"][row]), int(table["side"][row]), int(table["taken"][row])
    area, lost = int(table["area"][row]), int(table["area"][row]) - int(table["hit"][row])
    outcome = OUTCOMES[side][int(table["outcome"][row])]
    gsd = float(found.gsd[at])
    size = f"{area:,} px" if np.isnan(gsd) else _square_metres(area * gsd**2)
    name = str(found.counts.tiles["id"].iloc[at])
    words = outcome.label
    if lost and taken >= 0:
        words += f", {'as' if outcome.code == UNTOUCHED else 'rest as'} {(*classes.names, OUTSIDE)[taken]}"
    number_here = int(table["number"][row]) + 1
    of = f"{SIDE_LABELS[side]}, {classes.names[int(table['cls'][row])]}"
    return GalleryTile(
        id=f"{at}-{number_here}",
        number=f"{number:,}",
        said=f"{size}, {lost:,} px lost",
        value=size if by_size else f"{lost:,} px lost",
        picture=picture,
        name=words,
        about=f"{of}, object {number_here} of tile {name}, {words}",
    )


def _square_metres(area: float) -> str:
    return f"{area:,.1f} m²" if area < 100 else f"{area:,.0f} m²"


def _page(many: int) -> int:
    """The page that the URL names, or the first."""
    given = st.query_params.get(state.LEAF, "")
    if given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= many:
        keep(state.LEAF, given)
        return int(given[:9])
    return 1
