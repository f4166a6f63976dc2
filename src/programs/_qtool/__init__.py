"""The Python side of qtool: it describes the functions of a project, and calls them."""
