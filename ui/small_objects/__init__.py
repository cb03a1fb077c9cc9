"""The page Small and narrow objects, one module a section; ``page`` says in which order."""
