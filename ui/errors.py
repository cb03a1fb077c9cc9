"""The one place where errors become what is shown: one clear line, never a traceback."""

from __future__ import annotations

import logging
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from traceback import extract_tb

import streamlit as st

from analysis.errors import OrthoscopeError, SelectionError, StoreError, WorkspaceError
from ui.text import escape

_TITLES = {
    WorkspaceError: "The workspace cannot be used",
    SelectionError: "This selection means nothing here",
    StoreError: "The counts cannot be used",
}
_log = logging.getLogger("orthoscope")


@contextmanager
def shown() -> Iterator[None]:
    """Show an error in place of what was to be drawn, and stop the script there.

    What Orthoscope raises on purpose is shown as it is, for it was written for the user. Anything else is a fault of
    ours: it is logged, and its kind and place stand in a folded box for a report.
    """
    try:
        yield
    except OrthoscopeError as error:
        title = next((text for kind, text in _TITLES.items() if isinstance(error, kind)), "This does not work")
        st.error(escape(str(error)), title=title, icon=":material/error:")
        st.stop()
    except Exception as error:
        _log.exception("unexpected error on a page")
        _show_fault(error)
        st.stop()


def _show_fault(error: Exception) -> None:
    st.error(
        "Something went wrong that Orthoscope did not foresee. Your files and counts are untouched. "
        "Reload the page; if it happens again, please report it with the details below.",
        title="Unexpected error",
        icon=":material/bug_report:",
    )
    where = [
        f"{frame.filename.rsplit('/', 1)[-1]}, line {frame.lineno}, {frame.name}"
        for frame in extract_tb(error.__traceback__)
    ]
    with st.expander("Details for a report"):
        st.code(
            "\n".join(
                [
                    f"{type(error).__name__}: {error}",
                    *(f"  {line}" for line in where[-6:]),
                    f"Python {platform.python_version()}, Streamlit {version('streamlit')}",
                ]
            ),
            language=None,
            wrap_lines=True,
        )
