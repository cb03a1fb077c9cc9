"""What the scenes of the demo are made of."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.demo.grid import Grid

TILE = 512


@dataclass(frozen=True)
class Recipe:
    """One scene.

    Parameters
    ----------
    sheet : str
        A name in the style of the Polish 1992 map sheets that is none of LandCover.ai's 41.
    gsd : float
        Metres per pixel.
    width, height : int
        Of the sheet in px. Only its full tiles are drawn: the split script throws the rest away.
    woods, lakes : float
        Share of the sheet that is woodland, and lake.
    river : float
        Width in metres; 0 for none.
    ditches, local_roads, tracks : int
        How many of each; a main road where ``main_road``.
    plots, farms : int
        House plots along the roads of the village, and farms outside it.
    rides : bool
        Whether straight rides are cut through the woods.
    warmth : float
        Season and film: -1 cool and green to 1 dry and warm.
    brightness : float
        Exposure, 1 is normal.
    mirrored : bool
        Sun from the south-west rather than from the south-east.
    """

    sheet: str
    gsd: float
    width: int
    height: int
    woods: float
    lakes: float = 0.0
    river: float = 0.0
    ditches: int = 0
    main_road: bool = False
    local_roads: int = 1
    tracks: int = 3
    plots: int = 0
    farms: int = 0
    rides: bool = False
    warmth: float = 0.0
    brightness: float = 1.0
    mirrored: bool = False

    @property
    def grid(self) -> Grid:
        """The part of the sheet that full tiles cover."""
        return Grid(self.height // TILE * TILE, self.width // TILE * TILE, self.gsd)

    def tiles(self) -> dict[str, tuple[int, int]]:
        """Tile id -> (row, column) in tiles; ids count the partial tiles too, which are not written."""
        across = -(-self.width // TILE)
        return {
            f"{self.sheet}_{row * across + column}": (row, column)
            for row in range(self.height // TILE)
            for column in range(self.width // TILE)
        }


# The first two hold every class and both ground sampling distances, so that a demo of two scenes is a whole one.
RECIPES = (
    Recipe(
        "M-33-21-C-b-2-3", 0.25, 2640, 2310,
        woods=0.22, lakes=0.13, main_road=True, local_roads=1, tracks=1, plots=17, warmth=0.2,
    ),
    Recipe(
        "N-34-78-C-d-3-1", 0.5, 2410, 2390,
        woods=0.36, river=14, ditches=2, main_road=True, local_roads=2, tracks=4, plots=44, farms=4,
        warmth=-0.5, brightness=0.9, mirrored=True,
    ),
    Recipe(
        "M-34-52-A-d-3-1", 0.25, 2490, 2360,
        woods=0.68, local_roads=1, tracks=1, plots=3, farms=2, rides=True, warmth=-0.2, brightness=0.93,
    ),
    Recipe(
        "N-33-95-B-c-1-4", 0.25, 2660, 2340,
        woods=0.14, river=11, ditches=2, local_roads=1, tracks=3, plots=15, farms=1, warmth=0.55, brightness=1.06,
    ),
    Recipe(
        "N-34-107-D-a-4-2", 0.25, 2450, 2380,
        woods=0.27, ditches=1, local_roads=1, tracks=4, plots=8, farms=2, warmth=0.5, mirrored=True,
    ),
    Recipe(
        "N-33-118-A-b-2-2", 0.5, 2380, 2420,
        woods=0.40, lakes=0.17, local_roads=1, tracks=3, plots=40, farms=4, rides=True, warmth=-0.1, brightness=1.02,
    ),
)  # fmt: skip
