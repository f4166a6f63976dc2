DROP SCHEMA IF EXISTS moments_of_a_server_are_instants CASCADE;
CREATE SCHEMA moments_of_a_server_are_instants;
SET search_path = moments_of_a_server_are_instants;
SET TIME ZONE 'America/New_York';
CREATE TABLE t (id int PRIMARY KEY, at timestamptz NOT NULL, local timestamp NOT NULL);
INSERT INTO t VALUES (1, '2024-03-31 00:00:00', '2024-03-31 00:00:00'), (2, '2024-03-31 00:00:00.000001', '2024-03-31 00:00:00.000001');
