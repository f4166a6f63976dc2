-- error: [empty-query]
-- SELECT id FROM orders
/* SELECT id FROM orders */
