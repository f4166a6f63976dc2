SELECT
  strptime(<< text >>, '%d.%m.%Y %H:%M') AS written,
  strptime('10', '%H') AS left_out,
  strptime('2024-02-01 10:00:00.123', '%Y-%m-%d %H:%M:%S.%f') AS fraction,
  try_strptime(<< text >>, << format >>) AS tried
