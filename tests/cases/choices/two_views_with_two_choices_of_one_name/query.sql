SELECT a.n + b.n AS n FROM by_note AS a CROSS JOIN by_size AS b
