"""What becomes of an object: the outcomes of both sides, and the reasons for which IoU is lost.

The one place for their codes, names and definitions: kernels, screen, tooltips, CSV and documentation share them.

``outcomes`` arrays have the axes (..., side, class, outcome, count): two sides, K classes, five outcomes by code and
four counts. The outcomes of a side exclude each other; the first that applies, in the order of the codes, holds.
"""

from __future__ import annotations

from dataclasses import dataclass

TRUTH, PREDICTION = 0, 1
"""Positions on the side axis."""
SIDES = ("truth", "prediction")
SIDE_LABELS = ("Ground truth", "Prediction")

FOUND, MERGED, SPLIT, UNTOUCHED, PARTLY = range(5)
"""Codes on both sides; ``UNTOUCHED`` is "missed" in the truth and "false" in the prediction."""

OBJECTS, AREA, HIT, IOU = range(4)
"""Positions on the last axis: objects, their px, those of them that are the class on the other side, sum of IoU."""
IOU_UNIT = 10**9
"""The sum of IoU is stored in whole parts of this, of found objects only."""

OBJECT_MEANING = (
    "An object is a connected component of one class, in the ground truth or in the prediction: touching pixels of "
    "the class, without those under ignored ground truth. It is not a building: terraces merge. The background has no "
    "objects."
)


@dataclass(frozen=True)
class Outcome:
    """One outcome of one side.

    Parameters
    ----------
    side : {0, 1}
        Truth or prediction.
    code : int
        Position on the outcome axis.
    id, label : str
        For machines and for people; an id is unique within its side.
    definition : str
        One sentence.
    """

    side: int
    code: int
    id: str
    label: str
    definition: str


OUTCOMES: tuple[tuple[Outcome, ...], tuple[Outcome, ...]] = (
    (
        Outcome(
            TRUTH,
            FOUND,
            "found",
            "Found",
            "A predicted object of the class matches it: their IoU is above 0.5.",
        ),
        Outcome(
            TRUTH,
            MERGED,
            "merged",
            "Merged",
            "Not found, and the predicted object that covers most of it covers at least half of each of two or more "
            "ground truth objects of the class.",
        ),
        Outcome(
            TRUTH,
            SPLIT,
            "split",
            "Split",
            "Neither found nor merged, and two or more predicted objects of the class each cover at least a tenth of "
            "it, together at least half.",
        ),
        Outcome(TRUTH, UNTOUCHED, "missed", "Missed", "No pixel of it is predicted as its class."),
        Outcome(
            TRUTH,
            PARTLY,
            "part_found",
            "Part found",
            "Some of it is predicted as its class, but it is neither found nor merged nor split.",
        ),
    ),
    (
        Outcome(
            PREDICTION,
            FOUND,
            "found",
            "Found",
            "It matches a ground truth object of the class: their IoU is above 0.5.",
        ),
        Outcome(
            PREDICTION,
            MERGED,
            "merged",
            "Merged",
            "No match, and it covers at least half of each of two or more ground truth objects of the class.",
        ),
        Outcome(
            PREDICTION,
            SPLIT,
            "split",
            "Split",
            "Neither a match nor merged, and it covers at least a tenth of the ground truth object that it overlaps "
            "most, which two or more such pieces cover at least half of together.",
        ),
        Outcome(PREDICTION, UNTOUCHED, "false", "False", "No pixel of it is the class in the ground truth."),
        Outcome(
            PREDICTION,
            PARTLY,
            "part_right",
            "Part right",
            "Some of it is the class in the ground truth, but it is neither a match nor merged nor split.",
        ),
    ),
)
"""``OUTCOMES[side][code]``."""


def outcome_by_id(side: int, id: str) -> Outcome:
    """The outcome of a side with this id.

    Raises
    ------
    KeyError
        The side has no such outcome.
    """
    for outcome in OUTCOMES[side]:
        if outcome.id == id:
            return outcome
    raise KeyError(id)


@dataclass(frozen=True)
class Reason:
    """Why a class loses IoU: the wrong px of the objects of one outcome, of one side or of both.

    Parameters
    ----------
    id, label : str
        For machines and for people.
    truth, prediction : int or None
        Code of the outcome whose false negatives (truth) and false positives (prediction) belong to it.
    definition : str
        One sentence.
    lost_to : str
        How a sentence names it, after "lost to".
    """

    id: str
    label: str
    truth: int | None
    prediction: int | None
    definition: str
    lost_to: str

    @property
    def code(self) -> int:
        """Code of its outcome, the same on both sides where it has both."""
        code = self.truth if self.truth is not None else self.prediction
        assert code is not None
        return code

    @property
    def side(self) -> int:
        """Its side, or -1 for both."""
        if self.truth is not None and self.prediction is not None:
            return -1
        return TRUTH if self.prediction is None else PREDICTION


REASONS: tuple[Reason, ...] = (
    Reason("missed", "Missed", UNTOUCHED, None, "All pixels of missed objects.", "missed objects"),
    Reason("false", "False", None, UNTOUCHED, "All pixels of false objects.", "false objects"),
    Reason(
        "part",
        "Part found",
        PARTLY,
        PARTLY,
        "Wrong pixels of ground truth objects that are part found, and of predicted objects that are part right.",
        "objects found only in part",
    ),
    Reason("merged", "Merged", MERGED, MERGED, "Wrong pixels of merged objects, on both sides.", "merged objects"),
    Reason("split", "Split", SPLIT, SPLIT, "Wrong pixels of split objects, on both sides.", "split objects"),
    Reason(
        "boundary",
        "Boundary of found",
        FOUND,
        FOUND,
        "Wrong pixels of found objects, on both sides: where an object and its match differ, mostly along boundaries.",
        "the boundaries of found objects",
    ),
)
"""In the order in which charts show them; together they are all false negatives and false positives of a class."""
