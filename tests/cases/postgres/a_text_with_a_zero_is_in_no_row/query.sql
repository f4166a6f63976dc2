SELECT id FROM t
WHERE id > 0 [[AND x = << eq >>]] [[AND x <> << ne >>]] [[AND x < << lt >>]] [[AND x >= << ge >>]]
ORDER BY id
