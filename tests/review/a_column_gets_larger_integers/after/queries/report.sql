SELECT quantity AS pieces FROM orders
