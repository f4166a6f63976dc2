DROP SCHEMA IF EXISTS a_text_with_a_zero_is_in_no_row CASCADE;
CREATE SCHEMA a_text_with_a_zero_is_in_no_row;
SET search_path = a_text_with_a_zero_is_in_no_row;
CREATE TABLE t (id int PRIMARY KEY, x text NOT NULL);
INSERT INTO t VALUES (1, 'a'), (2, 'ab'), (3, 'b');
