SELECT sum(n) AS total FROM numbers
