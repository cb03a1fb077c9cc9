"""An app that does nothing, with the imports of Orthoscope: what a rerun costs at the least."""

import streamlit as st

from ui import errors, router, run_cards, selection  # noqa: F401
from ui.overview import page as overview  # noqa: F401
from ui.worst_tiles import page as worst_tiles  # noqa: F401


def count(name: str) -> None:
    st.session_state[name] = st.session_state.get(name, 0) + 1


@st.fragment
def part() -> None:
    st.button("part", on_click=count, args=("of_part",))
    st.markdown(f"part-{st.session_state.get('of_part', 0)}")


st.button("full", on_click=count, args=("of_full",))
st.markdown(f"full-{st.session_state.get('of_full', 0)}")
part()
