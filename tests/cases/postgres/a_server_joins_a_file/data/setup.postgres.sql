DROP SCHEMA IF EXISTS a_server_joins_a_file CASCADE;
CREATE SCHEMA a_server_joins_a_file;
SET search_path = a_server_joins_a_file;
CREATE TABLE t (id int PRIMARY KEY);
INSERT INTO t SELECT generate_series(1, 1000);
