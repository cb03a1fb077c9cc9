"""Words of outcomes and reasons: one definition each, codes in their places, every wrong px with one reason."""

from __future__ import annotations

import pytest

from analysis.scores import LINE_METRICS, METRICS, OBJECT_METRICS, SIZE_METRICS
from analysis.words.outcomes import OUTCOMES, REASONS, SIDES, outcome_by_id


def test_codes_are_positions() -> None:
    for side in range(len(SIDES)):
        assert [(o.side, o.code) for o in OUTCOMES[side]] == [(side, code) for code in range(5)]
        assert [outcome_by_id(side, o.id) for o in OUTCOMES[side]] == list(OUTCOMES[side])
    assert [o.id for o in OUTCOMES[0]] == ["found", "merged", "split", "missed", "part_found"]
    assert [o.id for o in OUTCOMES[1]] == ["found", "merged", "split", "false", "part_right"]
    with pytest.raises(KeyError):
        outcome_by_id(0, "false")


def test_a_definition_is_one_sentence() -> None:
    for definition in [o.definition for side in OUTCOMES for o in side] + [r.definition for r in REASONS]:
        assert definition.endswith(".")
        assert ". " not in definition


def test_every_outcome_of_a_side_has_one_reason() -> None:
    assert sorted(r.truth for r in REASONS if r.truth is not None) == list(range(5))
    assert sorted(r.prediction for r in REASONS if r.prediction is not None) == list(range(5))
    assert {r.id: (r.code, r.side) for r in REASONS} == {
        "missed": (3, 0),
        "false": (3, 1),
        "part": (4, -1),
        "merged": (1, -1),
        "split": (2, -1),
        "boundary": (0, -1),
    }


def test_ids_of_metrics_are_unique_over_all_registries() -> None:
    ids = [id for registry in (METRICS, OBJECT_METRICS, SIZE_METRICS, LINE_METRICS) for id in registry]
    assert len(ids) == len(set(ids))
