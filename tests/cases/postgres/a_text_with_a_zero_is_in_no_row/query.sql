SELECT id FROM t WHERE [[ x = << eq >> ]] [[ AND x <> << ne >> ]] [[ AND x < << lt >> ]] [[ AND x >= << ge >> ]] ORDER BY id
