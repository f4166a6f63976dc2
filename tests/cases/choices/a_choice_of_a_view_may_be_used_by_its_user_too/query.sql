SELECT id, status, price FROM some ORDER BY << sort >>, id
