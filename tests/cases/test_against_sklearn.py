"""Pooled counts through files equal those of the arrays, whatever the files look like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, f1_score, jaccard_score

from analysis.api import open_workspace
from analysis.scores import class_counts, class_scores

from ..bench import Bench

FORMS = (
    ("png", "uint8", {}),
    ("png", "uint16", {}),
    ("tif", "uint8", {"compress": "deflate"}),
    ("tif", "int16", {"tiled": True, "blockxsize": 16, "blockysize": 16}),
    ("tif", "int32", {}),
    ("tif", "float32", {}),
)


def stored(rng, labels, values):
    """Raw values that stand for the labels; every class has one or two."""
    raw = np.zeros(labels.shape, np.int64)
    for label, choices in values.items():
        where = labels == label
        raw[where] = rng.choice(choices, int(where.sum()))
    return raw


@st.composite
def workspaces(draw):
    """Classes, value maps of both sides, and a few tiles of several sizes and forms."""
    seed = draw(st.integers(0, 2**31))
    ids = sorted(draw(st.sets(st.integers(0, 120), min_size=2, max_size=5)))
    # a map of its own for each side: one or two of the values 0..250 a class, none for two classes
    maps = []
    for _ in range(2):
        free = list(range(251))
        np.random.default_rng(draw(st.integers(0, 2**31))).shuffle(free)
        maps.append({i: [free.pop() for _ in range(draw(st.integers(1, 2)))] for i in ids})
    mapped = draw(st.booleans())
    if not mapped:
        maps = [{i: [i] for i in ids}] * 2
    tiles = draw(
        st.lists(
            st.tuples(st.integers(1, 30), st.integers(1, 30), st.sampled_from(FORMS), st.sampled_from(FORMS)),
            min_size=1,
            max_size=3,
        )
    )
    return seed, ids, maps, mapped, draw(st.booleans()), tiles


@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(workspaces())
def test_pooled_counts_are_those_of_the_arrays(tmp_path_factory, drawn):
    seed, ids, maps, mapped, ignoring, tiles = drawn
    rng, bench = np.random.default_rng(seed), Bench(tmp_path_factory.mktemp("sklearn"))
    truths, predictions = [], []
    for n, (height, width, *forms) in enumerate(tiles):
        pair = [rng.choice(ids, (height, width)) for _ in range(2)]
        pair[1] = np.where(rng.random((height, width)) < 0.6, pair[0], pair[1])
        raws = [stored(rng, labels, values) for labels, values in zip(pair, maps, strict=True)]
        kept = np.ones((height, width), bool)
        if ignoring:
            kept = rng.random((height, width)) < 0.8
            raws[0][~kept] = 255
        for folder, raw, (ending, dtype, options) in zip(("masks", "runs"), raws, forms, strict=True):
            bench.write(f"{folder}/t{n}.{ending}", raw.astype(dtype), **options)
        truths.append(pair[0][kept])
        predictions.append(pair[1][kept])
    keys = [", ".join(f"{v} = {i}" for i, values in m.items() for v in values) for m in maps]
    bench.workspace(
        ("ignore = [255]\n" if ignoring else "") + (f"truth_values = {{{keys[0]}}}" if mapped else ""),
        f"prediction_values = {{{keys[1]}}}" if mapped else "",
        classes="\n".join(f'{i} = "c{i}"' for i in ids),
    )
    run = open_workspace(bench.file).runs[0]
    run.score(workers=1)
    counts = run.counts()
    assert (counts.tiles["status"] == "scored").all(), counts.tiles["reason"].tolist()
    truth, prediction = np.concatenate(truths), np.concatenate(predictions)
    pooled = counts.confusion.sum(axis=0)
    if not len(truth):
        assert pooled.sum() == 0
        return
    assert (pooled[:, :-1] == confusion_matrix(truth, prediction, labels=ids)).all()
    assert (pooled[:, -1] == 0).all()
    scores, present = class_scores(class_counts(pooled)), np.isin(ids, [*truth, *prediction])
    keywords = {"labels": ids, "average": None, "zero_division": 0.0}
    assert np.array_equal(np.isnan(scores.iou), ~present)
    assert scores.iou[present] == pytest.approx(jaccard_score(truth, prediction, **keywords)[present])
    assert scores.f1[present] == pytest.approx(f1_score(truth, prediction, **keywords)[present])


@settings(deadline=None, max_examples=12)
@given(
    st.integers(0, 2**31),
    st.sampled_from([((0, 1), "uint8"), ((0, 255), "uint8"), ((0, 255), "int16"), ((0, 1), "float32")]),
    st.sampled_from([((0, 1), "uint8"), ((0, 255), "uint8"), ((0, 65535), "uint16"), ((0, 1), "float64")]),
)
def test_binary_codings_give_the_same_numbers(tmp_path_factory, seed, truth_form, prediction_form):
    rng, bench = np.random.default_rng(seed), Bench(tmp_path_factory.mktemp("binary"))
    truth, prediction = (rng.integers(0, 2, (3, 20, 20)) for _ in range(2))
    truth[0, 0, 0] = prediction[0, 0, 0] = 1  # something to tell the coding by
    for folder, labels, (values, dtype) in (("masks", truth, truth_form), ("runs", prediction, prediction_form)):
        for i in range(3):
            bench.write(f"{folder}/t{i}.tif", np.array(values)[labels[i]].astype(dtype))
    bench.workspace(task="change")
    run = open_workspace(bench.file).runs[0]
    run.score(workers=1)
    pooled = run.counts().confusion.sum(axis=0)
    assert (pooled[:, :2] == confusion_matrix(truth.ravel(), prediction.ravel())).all()
