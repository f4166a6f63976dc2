SELECT id, round(price, << digits: int >>) AS price, substr(note, 1, << length: bigint >>) AS note FROM orders WHERE id < 4 ORDER BY id
