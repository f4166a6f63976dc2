DROP SCHEMA IF EXISTS texts_sort_by_their_bytes CASCADE;
CREATE SCHEMA texts_sort_by_their_bytes;
SET search_path = texts_sort_by_their_bytes;
CREATE TABLE t (id int PRIMARY KEY, x text NOT NULL);
INSERT INTO t SELECT n, x FROM unnest(ARRAY['a', 'B', 'c', 'D', 'é', 'z', 'Z', '_', '']) WITH ORDINALITY AS a (x, n);
