DROP SCHEMA IF EXISTS a_number_without_digits_keeps_all_of_them CASCADE;
CREATE SCHEMA a_number_without_digits_keeps_all_of_them;
SET search_path = a_number_without_digits_keeps_all_of_them;
CREATE TABLE t (id int PRIMARY KEY, loose numeric, exact numeric, rough numeric);
INSERT INTO t VALUES (1, 0.1000, 12.50, 0.1), (2, 12345678901234567890123456789012345678901234567890.5, 0, 1e20), (3, NULL, NULL, NULL);
