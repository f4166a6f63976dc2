DROP SCHEMA IF EXISTS groups_come_from_postgres CASCADE;
CREATE SCHEMA groups_come_from_postgres;
SET search_path = groups_come_from_postgres;
CREATE TABLE t (id int PRIMARY KEY, x text, i int, d date);
INSERT INTO t VALUES (1, 'a', 1, '2024-01-02'), (2, 'a', 2, '2024-01-01'), (3, 'B', 2147483647, NULL), (4, 'B', 2147483647, NULL), (5, NULL, NULL, NULL);
