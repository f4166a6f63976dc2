SELECT count(*) AS n FROM cheap_orders(most => << top >>)
