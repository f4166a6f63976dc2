-- error: [invalid-query]
SELECT count(*) AS n FROM orders WHERE quantity ~ << pattern >>
