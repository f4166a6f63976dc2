SELECT id, 'Dear {{ name }}, pay ${total}' AS letter
FROM orders
-- error: [quoted-placeholder]
WHERE status = '{{ state }}'
  -- error: [quoted-placeholder]
  AND note <> '${orderNote}'
  -- error: [quoted-placeholder]
  AND status IN ('%(one)s', 'open')
  -- error: [quoted-placeholder]
  AND placed_at > DATE '{{ since }}'
  -- warning: [quoted-placeholder]
  AND note LIKE '%{{ word }}%'
  -- warning: [quoted-placeholder]
  AND note <> ':note'
  -- warning: [quoted-placeholder]
  AND note <> '{note}'
  -- warning: [quoted-placeholder]
  AND lower('${limit}') <> note
-- error: [quoted-placeholder]
LIMIT '${n}'
