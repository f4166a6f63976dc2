SELECT id FROM types WHERE small IN << numbers: bigint[] >> OR big IN << few: smallint[] >> ORDER BY id
