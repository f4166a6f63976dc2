DROP SCHEMA IF EXISTS a_number_of_more_digits_than_declared_is_an_error CASCADE;
CREATE SCHEMA a_number_of_more_digits_than_declared_is_an_error;
SET search_path = a_number_of_more_digits_than_declared_is_an_error;
CREATE TABLE t (id int PRIMARY KEY, exact numeric);
INSERT INTO t VALUES (1, 12.50), (2, 12.505), (3, 1234567890123);
