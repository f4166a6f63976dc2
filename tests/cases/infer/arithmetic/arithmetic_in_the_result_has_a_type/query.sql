SELECT price * << a >> AS dear, quantity + << b >> AS more, day + << c >> AS later, note || << e >> AS label FROM orders
