SELECT id, n, at, t FROM nulls WHERE id >= << least: bigint >> ORDER BY id
