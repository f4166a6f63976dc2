SELECT count(*), status, upper(status), 1 + 1 FROM orders GROUP BY status
