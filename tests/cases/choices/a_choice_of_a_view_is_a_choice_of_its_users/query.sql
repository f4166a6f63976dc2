SELECT key, sum(quantity) AS pieces FROM keyed_orders WHERE quantity < << below >> GROUP BY key ORDER BY key
