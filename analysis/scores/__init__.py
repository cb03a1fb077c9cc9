"""Scores: counts in, numbers out. Pure functions on arrays, no files and no screen."""

from analysis.scores.bins import EDGE_SETS, EdgeSet, edge_set, parse_edges
from analysis.scores.bundle import CountsBundle
from analysis.scores.by_class import PooledByClass, pooled_by_class
from analysis.scores.by_scene import ByScene, by_scene
from analysis.scores.concentration import Concentration, Recovery, concentration, recovery, wrong_by_tile
from analysis.scores.conventions import CONVENTIONS, Convention
from analysis.scores.evaluation import evaluate, overall
from analysis.scores.explain import Explanation, explain, main_reasons, sentence
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
from analysis.scores.gsd_groups import GsdGroup, gsd_groups
from analysis.scores.headlines import Headline, classes_in_mean, headline, score
from analysis.scores.lines import LineCounts, LineScores, line_scores, tile_line_scores
from analysis.scores.metrics import METRICS, Metric
from analysis.scores.no_change import NoChange, no_change
from analysis.scores.object_metrics import LINE_METRICS, OBJECT_METRICS, SIZE_METRICS, ShapeMetric
from analysis.scores.object_scores import ObjectScores, object_scores
from analysis.scores.order import ORDERS, OrderKind, in_order
from analysis.scores.ranking import RANKINGS, RankBy, Ranking, RankingKind, rank, rank_tiles
from analysis.scores.registry import rows
from analysis.scores.size_bins import GsdBins, SizeBins, size_bins, size_bins_by_gsd
from analysis.scores.taken_for import taken_for
from analysis.scores.tile_damage import damage
from analysis.scores.width_bins import WidthBins, width_bins

__all__ = [
    "CONVENTIONS",
    "EDGE_SETS",
    "LINE_METRICS",
    "METRICS",
    "OBJECT_METRICS",
    "ORDERS",
    "RANKINGS",
    "SIZE_METRICS",
    "ByScene",
    "ClassScores",
    "Concentration",
    "Convention",
    "CountsBundle",
    "EdgeSet",
    "Explanation",
    "GsdBins",
    "GsdGroup",
    "Headline",
    "LineCounts",
    "LineScores",
    "Metric",
    "NoChange",
    "ObjectScores",
    "OrderKind",
    "PixelOutcomes",
    "PooledByClass",
    "RankBy",
    "Ranking",
    "RankingKind",
    "Recovery",
    "ShapeMetric",
    "SizeBins",
    "WidthBins",
    "accuracy",
    "boundary_iou",
    "by_scene",
    "class_counts",
    "class_scores",
    "classes_in_mean",
    "concentration",
    "damage",
    "edge_set",
    "evaluate",
    "explain",
    "gsd_groups",
    "headline",
    "in_order",
    "kappa",
    "line_scores",
    "main_reasons",
    "mean_defined",
    "no_change",
    "object_scores",
    "overall",
    "parse_edges",
    "pixel_outcomes",
    "pool",
    "pooled_by_class",
    "rank",
    "rank_tiles",
    "recovery",
    "rows",
    "safe_divide",
    "score",
    "sentence",
    "size_bins",
    "size_bins_by_gsd",
    "taken_for",
    "tile_line_scores",
    "valid_pixels",
    "width_bins",
    "wrong_by_tile",
    "wrong_pixels",
]
