"""The same ground truth in more than one split, by content."""

from __future__ import annotations

import numpy as np

from analysis.store.truth_store import TruthTable
from analysis.words.notices import FIRST_TILES, WARNING, Notice


def doubles_notice(truth: TruthTable) -> Notice | None:
    """A notice on tiles of different splits whose truths are equal in every pixel.

    A truth of one class alone says nothing (all of a forest's tiles are equal): only truths that hold two or more
    classes are compared. Knows the tiles that were scored or read by ``check --splits``.
    """
    tiles = truth.tiles.loc[(truth.pixels > 0).sum(axis=1) >= 2, ["id", "split", "truth_hash"]]
    tiles = tiles[tiles["split"].fillna("") != ""]
    splits = tiles.groupby("truth_hash")["split"].nunique()
    same = tiles[tiles["truth_hash"].isin(splits.index[splits > 1])]
    if same.empty:
        return None
    ids = same["id"].to_numpy(dtype=object)
    first = same[same["truth_hash"] == same["truth_hash"].iloc[0]]
    pairs = " and ".join(f"{i} ({s})" for i, s in zip(first["id"], first["split"], strict=True))
    message = (
        f"{len(same)} tiles have a ground truth that stands, pixel for pixel, in another split too, such as {pairs}. "
        "Scores on them measure memory."
    )
    return Notice(
        "same-truth-in-splits", WARNING, message, count=len(same), tiles=tuple(np.unique(ids)[:FIRST_TILES].tolist())
    )
