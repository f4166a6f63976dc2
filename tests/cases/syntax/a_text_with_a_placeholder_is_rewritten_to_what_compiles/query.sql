SELECT id
FROM orders
-- error: [quoted-placeholder]
WHERE placed_at >= TIMESTAMP '<< since >> 00:00:00'
  -- error: [quoted-placeholder]
  AND placed_at < TIMESTAMP '<< until >>T18:30:00'
  -- error: [quoted-placeholder]
  AND placed_at <> TIMESTAMP '<< at >>'
  -- error: [quoted-placeholder]
  AND placed_at < TIMESTAMP WITH TIME ZONE '<< day >> 00:00:00'
  -- error: [quoted-placeholder]
  AND day <> DATE '<< year >>-01-01'
  -- error: [quoted-placeholder]
  AND placed_at > now() - INTERVAL '<< days >>' DAY
  -- error: [quoted-placeholder]
  AND placed_at > now() - INTERVAL '1 << unit >>'
  -- error: [quoted-placeholder]
  AND day BETWEEN '<< first >>'
  -- error: [quoted-placeholder]
  AND '<< last >>'
  -- error: [quoted-placeholder]
  AND quantity IN ('<< one >>',
  -- error: [quoted-placeholder]
    '<< other? >>')
  -- error: [quoted-placeholder]
  AND '<< customer >>' = customer_id
  -- error: [quoted-placeholder]
  AND coalesce(quantity, '<< fallback >>') > 0
-- error: [quoted-placeholder]
LIMIT '<< n >>'
-- error: [quoted-placeholder]
OFFSET '<< skipped >>'
