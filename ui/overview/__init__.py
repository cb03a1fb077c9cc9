"""The Overview page, one module a section; ``page`` says in which order."""
