DROP SCHEMA IF EXISTS a_day_without_end_is_an_error CASCADE;
CREATE SCHEMA a_day_without_end_is_an_error;
SET search_path = a_day_without_end_is_an_error;
CREATE TABLE t (id int PRIMARY KEY, d date, at timestamptz);
INSERT INTO t VALUES (1, '2024-03-31', '2024-03-31 12:00+00'), (2, 'infinity', NULL), (3, NULL, '-infinity');
