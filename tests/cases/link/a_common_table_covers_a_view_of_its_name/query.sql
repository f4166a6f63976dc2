WITH shipped AS (SELECT id FROM customers WHERE city = << city >>)
SELECT id FROM shipped
