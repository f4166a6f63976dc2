SELECT id, n FROM t WHERE n > << least: bigint >> ORDER BY id
