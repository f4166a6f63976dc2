DROP SCHEMA IF EXISTS what_is_no_number_is_not_added_up CASCADE;
CREATE SCHEMA what_is_no_number_is_not_added_up;
SET search_path = what_is_no_number_is_not_added_up;
CREATE TABLE t (id int PRIMARY KEY, n numeric(8,2));
INSERT INTO t VALUES (1, 1.50), (2, 'NaN');
