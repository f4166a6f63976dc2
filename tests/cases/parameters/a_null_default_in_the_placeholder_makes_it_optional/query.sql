SELECT id FROM orders
WHERE quantity >= coalesce(<< least: int = NULL >>, 10) [[ AND status = << status = null >> ]]
ORDER BY id
