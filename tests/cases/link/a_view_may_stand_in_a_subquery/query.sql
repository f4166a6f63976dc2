SELECT name FROM customers AS c WHERE c.id IN (SELECT customer_id FROM dear) AND EXISTS (SELECT 1 FROM dear AS d WHERE d.customer_id = c.id) ORDER BY name
