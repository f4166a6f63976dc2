DROP SCHEMA IF EXISTS a_view_of_a_server_is_a_table CASCADE;
CREATE SCHEMA a_view_of_a_server_is_a_table;
SET search_path = a_view_of_a_server_is_a_table;
CREATE TABLE base (id int PRIMARY KEY, g int) PARTITION BY RANGE (id);
CREATE TABLE low PARTITION OF base FOR VALUES FROM (0) TO (10);
CREATE TABLE high PARTITION OF base FOR VALUES FROM (10) TO (100);
INSERT INTO base SELECT n, n % 3 FROM generate_series(1, 20) AS a (n);
CREATE VIEW t AS SELECT g AS id, count(*) AS n FROM base GROUP BY g;
