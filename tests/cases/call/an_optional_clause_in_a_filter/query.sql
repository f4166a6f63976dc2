SELECT count(*) FILTER (WHERE price > 1 [[ AND price < << below >> ]]) AS orders FROM orders
