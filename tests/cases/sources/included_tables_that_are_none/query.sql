SELECT o.id, t.id AS thing FROM orders o JOIN things t ON t.id = o.id
