SELECT
  to_timestamp_seconds(<< a >>, << a_format >>) AS a,
  to_timestamp_millis(<< b >>, '%Y') AS b,
  to_timestamp_micros('2024', << c_format >>) AS c,
  to_timestamp_nanos(<< d >>, << d_format >>) AS d,
  to_timestamp_seconds(<< seconds >>) AS e
FROM orders
