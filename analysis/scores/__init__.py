"""Scores: counts in, numbers out. Pure functions on arrays, no files and no screen."""

from analysis.scores.bundle import CountsBundle
from analysis.scores.by_class import PooledByClass, pooled_by_class
from analysis.scores.by_scene import ByScene, by_scene
from analysis.scores.concentration import Concentration, Recovery, concentration, recovery, wrong_by_tile
from analysis.scores.conventions import CONVENTIONS, Convention
from analysis.scores.evaluation import evaluate, overall
from analysis.scores.formulas import (
    ClassScores,
    PixelOutcomes,
    accuracy,
    boundary_iou,
    class_counts,
    class_scores,
    kappa,
    mean_defined,
    pixel_outcomes,
    pool,
    safe_divide,
    valid_pixels,
    wrong_pixels,
)
from analysis.scores.headlines import Headline, classes_in_mean, headline, score
from analysis.scores.metrics import METRICS, Metric
from analysis.scores.no_change import NoChange, no_change
from analysis.scores.order import ORDERS, OrderKind, in_order
from analysis.scores.ranking import RANKINGS, RankBy, Ranking, RankingKind, rank, rank_tiles
from analysis.scores.registry import rows
from analysis.scores.tile_damage import damage

__all__ = [
    "CONVENTIONS",
    "METRICS",
    "ORDERS",
    "RANKINGS",
    "ByScene",
    "ClassScores",
    "Concentration",
    "Convention",
    "CountsBundle",
    "Headline",
    "Metric",
    "NoChange",
    "OrderKind",
    "PixelOutcomes",
    "PooledByClass",
    "RankBy",
    "Ranking",
    "RankingKind",
    "Recovery",
    "accuracy",
    "boundary_iou",
    "by_scene",
    "class_counts",
    "class_scores",
    "classes_in_mean",
    "concentration",
    "damage",
    "evaluate",
    "headline",
    "in_order",
    "kappa",
    "mean_defined",
    "no_change",
    "overall",
    "pixel_outcomes",
    "pool",
    "pooled_by_class",
    "rank",
    "rank_tiles",
    "recovery",
    "rows",
    "safe_divide",
    "score",
    "valid_pixels",
    "wrong_by_tile",
    "wrong_pixels",
]
