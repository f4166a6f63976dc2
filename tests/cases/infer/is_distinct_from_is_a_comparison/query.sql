SELECT id FROM orders WHERE status IS DISTINCT FROM << a >> AND quantity IS NOT DISTINCT FROM << b? >>
