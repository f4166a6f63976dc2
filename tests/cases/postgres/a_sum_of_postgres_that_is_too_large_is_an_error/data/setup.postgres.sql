DROP SCHEMA IF EXISTS a_sum_of_postgres_that_is_too_large_is_an_error CASCADE;
CREATE SCHEMA a_sum_of_postgres_that_is_too_large_is_an_error;
SET search_path = a_sum_of_postgres_that_is_too_large_is_an_error;
CREATE TABLE t (id int PRIMARY KEY, i bigint);
INSERT INTO t VALUES (1, 9223372036854775806), (2, 1), (3, 1);
