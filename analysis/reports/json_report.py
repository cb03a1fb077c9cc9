"""The JSON report of `score`: a contract for machines. Keys are only ever added."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.api import OpenRun
from analysis.reports.numbers import by_class, plain
from analysis.reports.objects_json import narrow_entry, objects_entry
from analysis.scores import (
    CONVENTIONS,
    LineCounts,
    accuracy,
    class_counts,
    class_scores,
    classes_in_mean,
    kappa,
    mean_defined,
    pixel_outcomes,
    pooled_by_class,
    score,
)
from analysis.store.folder import write_whole
from analysis.store.load import ARRAYS, SHAPE_ARRAYS, RunCounts
from analysis.words.classes import ClassList
from analysis.words.status import SCORED

SCHEMA = 1


def write_json_report(runs: Sequence[OpenRun], path: Path) -> None:
    """Write the report of some runs.

    Raises
    ------
    StoreError
        The file cannot be written.
    """
    content = {"schema": SCHEMA, "runs": [run_report(run) for run in runs]}
    write_whole(path, json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1).encode())


def run_report(run: OpenRun) -> dict[str, Any]:
    """What the report says of one run."""
    counts = run.counts((*ARRAYS, *SHAPE_ARRAYS))
    stands = counts.take((~counts.tiles["partial"]).to_numpy())
    scored = counts.scored
    classes = counts.classes
    return {
        "model": run.run.model,
        "dataset": run.run.dataset,
        "trained_on": run.run.trained_on,
        "task": run.dataset.task,
        "settings": settings(run),
        "classes": [{"id": c.id, "name": c.name, "narrow": c.narrow} for c in classes.classes],
        "tiles_scored": len(scored),
        "tiles_refused": len(stands) - len(scored),
        "tiles_partial": len(counts) - len(stands),
        "notices": [n.as_json() for n in run.notices(counts)],
        "pooled": _pooled(scored),
        "conventions": {name: plain(score(name, scored.confusion, classes)) for name in CONVENTIONS},
        "tiles": _tiles(stands),
        **_shapes(run, scored),
    }


def _shapes(run: OpenRun, scored: RunCounts) -> dict[str, Any]:
    """Objects and centre lines, of the tiles on which they were counted; empty where pixels alone were."""
    with_objects = scored.with_objects
    if not len(with_objects):
        return {}
    classes, arrays, gsd = scored.classes, with_objects.arrays, with_objects.tiles["gsd"].to_numpy()
    table = run.objects(with_objects)
    left_out = int(arrays["outcomes"][..., 0].sum()) - len(table)
    found = {"objects": objects_entry(arrays["outcomes"], table, gsd, classes, rows_left_out=left_out)}
    if classes.narrow:
        tolerance = run.workspace.scoring.tolerance_m
        found["narrow"] = narrow_entry(LineCounts.of(arrays), gsd, classes, tolerance_m=tolerance)
    return found


def settings(run: OpenRun) -> dict[str, Any]:
    """How the numbers were made, for the report and the manifests."""
    manifest = run.manifest() or {}
    names = (
        "split",
        "scoring",
        "readings",
        "threshold",
        "resize",
        "ignore",
        "tiling",
        "truth",
        "predictions",
        "versions",
    )
    background = run.dataset.classes.background
    return {
        **{name: manifest.get(name) for name in names},
        "background": "none" if background is None else background,
        "headline": "pooled",
    }


def _pooled(counts: RunCounts) -> dict[str, Any]:
    classes, total = counts.classes, counts.confusion.sum(axis=0)
    pooled = pooled_by_class(counts.confusion, counts.arrays["bands"])
    names = ("iou", "precision", "recall", "f1", "boundary_iou", "tp", "fp", "fn")
    return {
        **{name: by_class(classes, getattr(pooled, name)) for name in names},
        "miou": plain(score("pooled", counts.confusion, classes)),
        "miou_with_background": plain(score("pooled_with_background", counts.confusion, classes)),
        "accuracy": plain(accuracy(total)),
        "kappa": plain(kappa(total)),
        "pixels": int(total.sum()),
        "confusion": total.tolist(),
    }


def _tiles(counts: RunCounts) -> dict[str, Any]:
    classes: ClassList = counts.classes
    matrices = counts.confusion
    scores, outcomes = class_scores(class_counts(matrices)), pixel_outcomes(class_counts(matrices))
    means = mean_defined(scores.iou[:, classes_in_mean(classes)])
    right = accuracy(matrices)
    found: dict[str, Any] = {}
    for i, tile in enumerate(counts.tiles.to_dict("records")):
        if tile["status"] != SCORED:
            found[tile["id"]] = {"status": tile["status"], "reason": tile["reason"]}
            continue
        found[tile["id"]] = {
            "status": tile["status"],
            "scene": tile["scene"],
            "split": tile["split"],
            "valid_pixels": int(tile["valid"]),
            "ignored_pixels": int(tile["ignored"]),
            "iou": by_class(classes, scores.iou[i]),
            "precision": by_class(classes, scores.precision[i]),
            "recall": by_class(classes, scores.recall[i]),
            "f1": by_class(classes, scores.f1[i]),
            "miou": plain(means[i]),
            "accuracy": plain(right[i]),
            "confusion": matrices[i].tolist(),
            "tp": by_class(classes, outcomes.tp[i]),
            "fp": by_class(classes, outcomes.fp[i]),
            "fn": by_class(classes, outcomes.fn[i]),
        }
    return found
