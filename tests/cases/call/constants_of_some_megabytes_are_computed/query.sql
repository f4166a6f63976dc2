SELECT id, length(repeat('x', 5000000)) AS long, length(repeat('x', 5000000) || << end >>) AS joined,
       array_length(range(0, 530000)) AS items
FROM t ORDER BY id
