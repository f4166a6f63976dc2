SELECT id, a * (1 - b) * (1 + b) AS x FROM p WHERE id = << id: bigint >>
