"""What the browser is told is plain data, and a name in it is the name."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest

from analysis.pictures.focus import Focus
from analysis.pictures.layers import tile_layers
from analysis.pictures.pixels import TilePixels
from analysis.words.classes import ClassList, ClassSpec
from ui.viewer.component import ViewerEvent, _event, script
from ui.viewer.payload import ViewedTile, ViewerView, payload

MARKUP = "</script><img src=x onerror=alert(1)> **b** :red[x] &amp; \u2028"
CLASSES = ClassList((ClassSpec(2, "other", "#d9d9d9"), ClassSpec(7, MARKUP, "#d55e00")), background=2)


def viewed(name: str = "t", **options: object) -> ViewedTile:
    labels = np.zeros((4, 6), np.uint8)
    photo = np.full((4, 6, 3), 90, np.uint8)
    pixels = TilePixels(name, 4, 6, 1, {"before": photo, "after": photo}, labels, labels, (MARKUP,))
    return ViewedTile(tile_layers(pixels, CLASSES, 0.5), MARKUP, MARKUP)


def told(**options: object) -> dict[str, object]:
    arguments: dict[str, object] = {"classes": CLASSES, "view": ViewerView(), "name": "v", "answered": 0, **options}
    return payload(viewed(MARKUP), None, viewed("next"), **arguments)  # type: ignore[arg-type]


def test_names_are_kept_letter_by_letter() -> None:
    data = json.loads(json.dumps(told()))
    tile = data["current"]
    assert (tile["id"], tile["title"], tile["note"], tile["faults"]) == (MARKUP, MARKUP, MARKUP, [MARKUP])
    assert data["classes"][1]["name"] == MARKUP


def test_pictures_are_data_urls_of_the_layers_bytes() -> None:
    tile = told()["current"]
    assert isinstance(tile, dict)
    layers = viewed().layers
    kind, _, text = tile["truth"].partition(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(text) == layers.truth
    assert [(p["role"], p["label"]) for p in tile["photos"]] == [("before", "Before"), ("after", "After")]
    assert base64.b64decode(tile["photos"][0]["url"].partition(",")[2]) == layers.photos[0][1]


def test_neighbours_places_and_the_background_by_index() -> None:
    data = told(view=ViewerView(Focus(1, 0), (3, 9), "single"))
    assert data["previous"] is None
    assert data["following"]["id"] == "next"  # type: ignore[index]
    assert data["place"] == [3, 9]
    assert data["focus"] == {"truth": 1, "predicted": 0}
    assert data["background"] == 0
    assert data["layout"] == "single"


@pytest.mark.parametrize(
    ("raw", "event"),
    [
        ({"tile": "b", "ahead": 3, "number": 1}, ViewerEvent("b", 3)),
        ({"tile": "b"}, ViewerEvent("b", 0)),
        ({"tile": "b", "ahead": 1e9}, ViewerEvent("b", 10_000)),
        ({"tile": "b", "ahead": "2"}, ViewerEvent("b", 0)),
        ({"tile": "b", "ahead": float("nan")}, ViewerEvent("b", 0)),
        ({"tile": "../b"}, None),
        ({"tile": 3}, None),
        ("b", None),
        (None, None),
    ],
)
def test_only_steps_to_known_tiles_are_believed(raw: object, event: ViewerEvent | None) -> None:
    assert _event(raw, {"a", "b"}) == event


def test_the_script_is_one_module_without_a_way_out() -> None:
    text = script()
    assert text.count("export default") == 1
    for word in ("innerHTML", "insertAdjacentHTML", "http:", "https:", "import ", "fetch(", "eval("):
        assert word not in text
