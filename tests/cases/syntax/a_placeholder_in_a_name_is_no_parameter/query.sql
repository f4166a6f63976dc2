SELECT id,
       -- error: [quoted-placeholder]
       note AS "<< title >>"
FROM orders
-- error: [quoted-placeholder]
WHERE status = "<< status >>"
  -- error: [quoted-placeholder]
  AND "is_<< flag >>"
-- error: [quoted-placeholder]
ORDER BY "<< column >>"
