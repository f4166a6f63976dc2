SELECT day FROM orders
