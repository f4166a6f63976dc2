SELECT id AS "'; DROP TABLE orders; --", status AS "<script>alert(1)</script>" FROM orders WHERE id = << id >>
