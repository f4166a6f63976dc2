SELECT id, status FROM orders WHERE status = 'lost'
