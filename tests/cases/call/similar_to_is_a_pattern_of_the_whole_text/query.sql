SELECT id, w SIMILAR TO 'a%' AS begins, w NOT SIMILAR TO 'a%' AS begins_not, w SIMILAR TO 'a.c' AS with_a_point,
  w SIMILAR TO 'a_c' AS with_any, w SIMILAR TO 'b' AS is_b, w SIMILAR TO 'a!%' ESCAPE '!' AS with_an_escape,
  w SIMILAR TO pattern AS by_column, w SIMILAR TO << p >> AS chosen
FROM t
ORDER BY id
