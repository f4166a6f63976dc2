DROP SCHEMA IF EXISTS a_uuid_is_found_by_its_text CASCADE;
CREATE SCHEMA a_uuid_is_found_by_its_text;
SET search_path = a_uuid_is_found_by_its_text;
CREATE TABLE t (id int PRIMARY KEY, u uuid UNIQUE);
INSERT INTO t VALUES (1, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'), (2, NULL);
