SELECT id, n, at, t FROM rest WHERE id >= << least: bigint >> ORDER BY id
