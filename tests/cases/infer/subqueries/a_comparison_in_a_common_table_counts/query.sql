WITH dear AS (SELECT id, customer_id FROM orders WHERE price > << least >>)
SELECT c.name FROM dear AS d JOIN customers AS c ON c.id = d.customer_id WHERE c.city = << city >>
