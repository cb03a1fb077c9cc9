"""Names of files."""

from __future__ import annotations

EXTENSIONS = frozenset({".png", ".tif", ".tiff", ".jpg", ".jpeg", ".jp2", ".bmp", ".gif", ".webp", ".img", ".vrt"})
"""Endings (lower case) that are taken for rasters."""
