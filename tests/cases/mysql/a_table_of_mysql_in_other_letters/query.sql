SELECT id, x FROM t WHERE id = << id >>
