SELECT count(*) AS n FROM keyed_orders
