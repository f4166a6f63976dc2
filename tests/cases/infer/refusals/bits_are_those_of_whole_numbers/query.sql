SELECT id,
       small & << mask >> AS masked,
       -- error: [invalid-query]
       amount & 1 AS of_a_decimal,
       -- error: [invalid-query]
       2 | dbl AS of_a_double,
       -- error: [invalid-query]
       (single << 2) AS shifted,
       CAST(amount AS bigint) & 1 AS rounded
FROM types
