SELECT id
FROM orders
WHERE id << 1 = << doubled >>
  AND << flags: bigint >> << 1 > id
  AND << mask: bigint >> >> 1 < id
