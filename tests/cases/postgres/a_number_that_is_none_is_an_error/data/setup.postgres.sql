DROP SCHEMA IF EXISTS a_number_that_is_none_is_an_error CASCADE;
CREATE SCHEMA a_number_that_is_none_is_an_error;
SET search_path = a_number_that_is_none_is_an_error;
CREATE TABLE t (id int PRIMARY KEY, n numeric(8,2) NOT NULL);
INSERT INTO t VALUES (1, 1.50), (2, 'NaN');
