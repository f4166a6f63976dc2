DROP SCHEMA IF EXISTS an_array_of_two_dimensions_is_an_error CASCADE;
CREATE SCHEMA an_array_of_two_dimensions_is_an_error;
SET search_path = an_array_of_two_dimensions_is_an_error;
CREATE TABLE t (id int PRIMARY KEY, a int[]);
INSERT INTO t VALUES (1, '{1,2}'), (2, '{{1,2},{3,4}}'), (3, '[0:1]={1,2}');
