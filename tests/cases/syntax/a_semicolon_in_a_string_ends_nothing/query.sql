SELECT 'a; b' AS text, $$ c; $$ AS dollar /* ; */
FROM orders
