SELECT id
FROM orders
-- error: [quoted-placeholder]
WHERE placed_at BETWEEN '<< a >>'
  -- error: [quoted-placeholder]
  AND '<< b >> 23:59:59'
  -- error: [quoted-placeholder]
  AND placed_at >= '<< c >> 00:00:00'
  -- error: [quoted-placeholder]
  AND placed_at < '<< d >>T18:30'
