"""A synthetic land-cover dataset with exact truth, and three models fitted on it."""

from analysis.demo.build import make_demo

__all__ = ["make_demo"]
