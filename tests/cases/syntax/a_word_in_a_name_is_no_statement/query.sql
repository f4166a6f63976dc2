SELECT id AS insert_id, status AS "DROP TABLE", note AS set_note
FROM orders
