-- error: [unknown-function]
SELECT status, list(id) AS ids FROM orders WHERE day = << day >> GROUP BY status
