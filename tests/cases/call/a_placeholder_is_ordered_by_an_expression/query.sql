SELECT id, price FROM orders WHERE id < 6 ORDER BY CASE WHEN << dear_first: boolean >> THEN -price ELSE price END, id
