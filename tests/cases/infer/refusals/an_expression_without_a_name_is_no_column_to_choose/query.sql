-- error: [unknown-column]
SELECT nope FROM (SELECT << x: int >> + id, status FROM orders) AS t
