SELECT l.id, o.total FROM large l JOIN orders o ON o.id = l.id
