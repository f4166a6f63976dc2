SELECT id, nullif(f, 0.0) IS NULL AS a, nullif(0.0, f) IS NULL AS b, nullif(f, << z: double >>) AS c FROM t ORDER BY id
