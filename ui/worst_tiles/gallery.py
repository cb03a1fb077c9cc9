"""The tiles in order as a gallery: a page of small pictures, which are made as they are looked at."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.pictures.focus import Focus
from analysis.pictures.small import BEFORE, ERRORS, FOCUSED, IMAGE, MARKED, PREDICTION, TRUTH, Small, legend
from analysis.pictures.thumbnails import Wanted
from ui import loaders
from ui.choice import choose, keep
from ui.gallery.component import GalleryPage, GalleryTile, gallery
from ui.selection import View
from ui.text import UNDEFINED
from ui.worst_tiles.chosen import choose_tile
from ui.worst_tiles.ranking import Ranked

PAGE = "page"
PER_PAGE = 40
CHOICES = ("show", "thumbs", PAGE)
KEY = "gallery"
_FOLLOWED = "_gallery_followed"
_PATIENCE = 0.6  # seconds that a run of the page waits for pictures; those that take longer are asked for again


def draw_kind(place: DeltaGenerator, view: View) -> str:
    """The choice of what the pictures show."""
    return choose(place, "Thumbnails show", "thumbs", *_kinds(view), width=160, bare=True)


def draw(view: View, ranked: Ranked, at: int, kind: str, focus: Focus, show: Callable[[], None]) -> None:
    """The gallery.

    Parameters
    ----------
    at : int
        Place of the chosen tile in the order.
    kind : str
        What the pictures show.
    focus : Focus
        Which errors are drawn.
    show : callable
        Told when another tile was chosen.
    """
    _follow(view, ranked, at)
    _draw_page(view, ranked, at, kind, focus if kind in FOCUSED else None, show)


@st.fragment(key=KEY)
def _draw_page(view: View, ranked: Ranked, at: int, kind: str, focus: Focus | None, show: Callable[[], None]) -> None:
    many = -(-len(ranked.names) // PER_PAGE)
    page = _page(many, at)
    places = range((page - 1) * PER_PAGE, min(page * PER_PAGE, len(ranked.names)))
    wanted = [Wanted(ranked.names[place], kind, focus or Focus()) for place in places]
    pictures = loaders.thumbnails(view.run, wanted, _PATIENCE)

    def picked(tile: str) -> None:
        choose_tile(tile)
        show()

    gallery(
        [_tile(ranked, place, picture) for place, picture in zip(places, pictures, strict=True)],
        ranked.names[at],
        GalleryPage(page, many, f"{ranked.heading}, {places.start + 1:,} to {places.stop:,} of {len(ranked.names):,}"),
        () if focus is None else legend(focus, view.scored.classes),
        key=KEY,
        on_pick=picked,
        on_turn=_turn,
    )


def _kinds(view: View) -> tuple[list[str], list[str]]:
    """Kinds of pictures and their labels."""
    if view.run.dataset.task == "change":
        return (
            [MARKED, IMAGE, BEFORE, ERRORS, TRUTH, PREDICTION],
            ["after, with errors", "after", "before", "errors", "ground truth", "prediction"],
        )
    if not view.run.dataset.pictures:
        return [ERRORS, TRUTH, PREDICTION], ["errors", "ground truth", "prediction"]
    return (
        [MARKED, IMAGE, ERRORS, TRUTH, PREDICTION],
        ["image with errors", "image", "errors", "ground truth", "prediction"],
    )


def _tile(ranked: Ranked, place: int, picture: Small | None) -> GalleryTile:
    value = ranked.value(ranked.sequence[place])
    number = f"{place + 1:,}" if place < ranked.many else UNDEFINED
    return GalleryTile(ranked.names[place], number, f"{ranked.label} {value}", value, picture)


def _follow(view: View, ranked: Ranked, at: int) -> None:
    """Turn to the page of the chosen tile once it, or the order, has changed."""
    stamp = (view.run.key, view.selection.query(), repr(ranked.ordering), ranked.names[at])
    if st.session_state.get(_FOLLOWED, stamp) != stamp:
        st.query_params.pop(PAGE, None)
        keep(PAGE, "")
    st.session_state[_FOLLOWED] = stamp


def _page(many: int, at: int) -> int:
    """The page that the URL names, or the one with the chosen tile; from 1."""
    given = st.query_params.get(PAGE, "")
    if given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= many:
        keep(PAGE, given)
        return int(given[:9])
    return at // PER_PAGE + 1


def _turn(page: int) -> None:
    st.query_params[PAGE] = str(page)
