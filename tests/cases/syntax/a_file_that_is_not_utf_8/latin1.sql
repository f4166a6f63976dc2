-- Aufträge in Köln
SELECT id FROM orders
