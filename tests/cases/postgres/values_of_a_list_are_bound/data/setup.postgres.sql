DROP SCHEMA IF EXISTS values_of_a_list_are_bound CASCADE;
CREATE SCHEMA values_of_a_list_are_bound;
SET search_path = values_of_a_list_are_bound;
CREATE TABLE t (id bigint PRIMARY KEY, x text);
INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, NULL), (4, E'c\'');
