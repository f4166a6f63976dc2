DROP SCHEMA IF EXISTS an_enum_is_its_label CASCADE;
CREATE SCHEMA an_enum_is_its_label;
SET search_path = an_enum_is_its_label;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE t (id int PRIMARY KEY, e mood NOT NULL);
INSERT INTO t VALUES (1, 'happy'), (2, 'sad'), (3, 'ok');
