DROP SCHEMA IF EXISTS a_padded_text_is_read_without_its_blanks CASCADE;
CREATE SCHEMA a_padded_text_is_read_without_its_blanks;
SET search_path = a_padded_text_is_read_without_its_blanks;
CREATE TABLE t (id int PRIMARY KEY, c char(5) NOT NULL);
INSERT INTO t VALUES (1, 'ab'), (2, 'ab  '), (3, 'abc');
