SELECT id, array_resize([id, 2], << size: bigint >>) AS items FROM orders WHERE id = 10
