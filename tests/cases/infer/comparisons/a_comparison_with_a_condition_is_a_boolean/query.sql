SELECT count(*) AS n FROM orders WHERE (quantity > 3) = << many >> AND << is_open >> = (status = 'open')
