SELECT count(*) AS n FROM open_orders(most => << top >>)
