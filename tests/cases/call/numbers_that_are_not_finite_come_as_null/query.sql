SELECT id, dbl FROM types ORDER BY id
