SELECT id FROM orders WHERE id=<<id>> OR (quantity)=(<<quantity>>) OR price>=-<<price: double>>+1000 ORDER BY id
