(SELECT id FROM shipped) EXCEPT (SELECT id FROM orders WHERE id > << above >>) ORDER BY id
