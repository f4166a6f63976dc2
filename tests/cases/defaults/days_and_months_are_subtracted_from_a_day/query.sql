SELECT << week = current_date - 7 >> AS week,
  << month = current_date - interval '1 month' >> AS month,
  << soon = current_date + 1 >> AS soon,
  << year: date = current_date - interval '1 year' >> AS year
