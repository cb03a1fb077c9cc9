"""The command line: ``score``, ``check``, ``demo`` and ``export`` over the same core as the app.

Exit status 0: every tile was scored; 3: some tiles were refused; 2: usage or workspace error, one clear line;
130: stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from analysis.commands.status import OK, STOPPED, USAGE
from analysis.errors import OrthoscopeError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:  # names of any language are printed on any terminal
            reconfigure(encoding="utf-8", errors="replace")
    chosen = _parser().parse_args(arguments)
    try:
        return int(chosen.command(chosen))
    except OrthoscopeError as error:
        print(f"orthoscope: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        self.exit(USAGE, f"orthoscope: {message}. See: {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    # Each command loads what it needs when it runs: `demo --help` should not wait for a compiler to be loaded.
    parser = _Parser(prog="python -m analysis", description="Orthoscope's command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    score = commands.add_parser("score", help="score what is not scored yet and print a summary")
    _workspace(score)
    score.add_argument("--run", action="append", metavar="MODEL@DATASET", help="only this run; may be given again")
    score.add_argument("--json", type=Path, metavar="FILE", help="write the report for machines")
    score.add_argument("--csv", type=Path, metavar="FILE", help="write a row a tile, and a manifest beside it")
    score.add_argument(
        "--workers", type=_workers, metavar="N", help="processes (default: one a processor, eight at most)"
    )
    score.add_argument("--no-objects", action="store_true", help="count pixels only: no objects and centre lines")
    score.set_defaults(command=_score)

    check = commands.add_parser("check", help="print what the folders hold and how it will be read, without scoring")
    _workspace(check)
    check.add_argument(
        "--splits", action="store_true", help="read the ground truth of every split into the truth table"
    )
    check.add_argument("--deep", action="store_true", help="read every pair and report what scoring would")
    check.set_defaults(command=_check)

    demo = commands.add_parser("demo", help="make the demo: land cover drawn by a program, models fitted on it")
    demo.add_argument("folder", type=Path, metavar="FOLDER")
    demo.set_defaults(command=_demo)

    export = commands.add_parser("export", help="write a CSV of the tiles of a selection")
    _workspace(export)
    export.add_argument("--selection", default="", metavar="QUERY", help="query string of the app's address")
    export.add_argument("--csv", type=Path, required=True, metavar="FILE")
    export.add_argument("--objects", action="store_true", help="a row an object instead of a row a tile")
    export.set_defaults(command=_export)
    return parser


def _workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("workspace", type=Path, metavar="WORKSPACE", help="the workspace file (TOML)")


def _workers(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 256:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 256; found {text}")
    return number


def _score(chosen: argparse.Namespace) -> int:
    from analysis.commands.score import score_command

    return score_command(chosen.workspace, chosen.run, chosen.json, chosen.csv, chosen.workers, not chosen.no_objects)


def _check(chosen: argparse.Namespace) -> int:
    from analysis.commands.check import check_command

    return check_command(chosen.workspace, splits=chosen.splits, deep=chosen.deep)


def _demo(chosen: argparse.Namespace) -> int:
    from analysis.commands.demo import demo_command

    return demo_command(chosen.folder)


def _export(chosen: argparse.Namespace) -> int:
    from analysis.commands.export import export_command

    return export_command(chosen.workspace, chosen.selection, chosen.csv, objects=chosen.objects)
