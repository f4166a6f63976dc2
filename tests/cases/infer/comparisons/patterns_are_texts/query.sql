SELECT id
FROM orders
WHERE note LIKE << a >> AND note NOT ILIKE << b >> AND status ~ << c >> AND status !~* << d >> AND note SIMILAR TO << e >>
