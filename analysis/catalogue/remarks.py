"""What the user must know about a dataset's folders and lists: notices from names alone."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.catalogue.listing import NOT_UTF8, Listing
from analysis.catalogue.splits import SplitLists
from analysis.words.notices import FIRST_TILES, INFO, REFUSED, WARNING, Notice
from analysis.workspace.model import Dataset, Run


def truth_remarks(dataset: Dataset, listing: Listing, split: str | None, tiles: int, partial: int) -> list[Notice]:
    """Notices on the ground truth's folder.

    Parameters
    ----------
    tiles : int
        Tiles of the split.
    partial : int
        Windows that are smaller than a tile.
    """
    notices = name_remarks(listing)
    if not listing.files:
        lacking = f"; {listing.beside}" if listing.beside else ""
        also = f" (also tried: {', '.join(dataset.truth[1:])})" if len(dataset.truth) > 1 else ""
        message = f'dataset "{dataset.name}": no ground truth file matches {listing.where}{also}{lacking}.'
        notices.append(Notice("no-truth-files", REFUSED, message))
    elif not tiles:
        message = f'dataset "{dataset.name}": the split {split} names no tile. Check its list.'
        notices.append(Notice("split-empty", REFUSED, message))
    if partial:
        message = (
            f"Windows at the right and bottom edges of the sheets, smaller than {dataset.tiling} px: {partial}. "
            "The dataset's rule leaves them out: they are marked partial and stand in no score unless asked for."
        )
        notices.append(Notice("partial-tiles", INFO, message, count=partial))
    return notices


def prediction_remarks(run: Run, listing: Listing) -> list[Notice]:
    """Notices on the predictions' folder."""
    notices = name_remarks(listing)
    if not listing.files:
        lacking = f"; {listing.beside}" if listing.beside else ""
        message = f'run "{run.key}": no prediction file matches {listing.where}{lacking}.'
        notices.append(Notice("no-prediction-files", WARNING, message))
    return notices


def picture_remarks(role: str, listing: Listing, lacking: Sequence[str]) -> list[Notice]:
    """A notice where tiles have no picture of a role.

    Parameters
    ----------
    lacking : sequence of str
        Ids of these tiles.
    """
    if not lacking:
        return []
    message = (
        f"Tiles without {role}: {len(lacking)} (no file, or more than one, matches {listing.where}). They are scored, "
        "and shown without it."
    )
    return [Notice(f"{role}-missing", INFO, message, count=len(lacking), tiles=tuple(lacking[:FIRST_TILES]))]


def name_remarks(listing: Listing) -> list[Notice]:
    """A notice where files are skipped because no report could hold their names."""
    n = listing.skipped.get(NOT_UTF8, 0)
    if not n:
        return []
    message = (
        f"Files skipped beside {listing.where}: {n}. Their names are not UTF-8, as happens when an archive is unpacked "
        "with another encoding. Rename them."
    )
    return [Notice("name-not-utf8", WARNING, message, count=n)]


def split_remarks(dataset: Dataset, lists: SplitLists) -> list[Notice]:
    """Notices on the split lists; a preset's lists may be missing."""
    notices = []
    for split, path in lists.missing.items():
        if dataset.preset is None:
            notices.append(Notice("split-list-missing", WARNING, f"The list of split {split} does not exist: {path}"))
    for split, n in lists.doubled.items():
        if n:
            message = f"Tiles that the list of split {split} names twice: {n}. Each counts once."
            notices.append(Notice("split-list-doubles", INFO, message))
    splits_of = lists.splits_of()
    several = [tile for tile, splits in splits_of.items() if len(splits) > 1]
    if several:
        which = splits_of[several[0]]
        message = f"Tiles in more than one split list: {len(several)}, such as {several[0]} in {' and '.join(which)}."
        notices.append(_of_many("in-several-splits", WARNING, message, several))
    return notices


def leftover_remarks(unmatched: Sequence[str], outside: Sequence[str], split: str | None) -> list[Notice]:
    """Notices on predictions that belong to no tile of the run.

    Parameters
    ----------
    unmatched : sequence of str
        Without a ground truth.
    outside : sequence of str
        Whose tile is outside the split.
    """
    notices = []
    if unmatched:
        shown = ", ".join(unmatched[:5]) + (", …" if len(unmatched) > 5 else "")
        message = f"Prediction files without a ground truth, not scored: {len(unmatched)} ({shown})."
        notices.append(_of_many("prediction-without-truth", WARNING, message, unmatched))
    if outside:
        message = f"Predictions of tiles outside the split {split}, not scored: {len(outside)}."
        notices.append(_of_many("prediction-outside-split", INFO, message, outside))
    return notices


def _of_many(code: str, level: str, message: str, tiles: Sequence[str]) -> Notice:
    return Notice(code, level, message, count=len(tiles), tiles=tuple(tiles[:FIRST_TILES]))
