SELECT id FROM orders WHERE id=<<id>> AND price<=<<most>> AND quantity<><<not_this>> AND status LIKE(<<pattern>>)
