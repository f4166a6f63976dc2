SELECT << least = 2 * 3 >> AS least, count(*) AS n FROM orders WHERE quantity >= << least >>
