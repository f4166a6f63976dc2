DROP SCHEMA IF EXISTS a_table_of_a_server_that_is_not_there CASCADE;
CREATE SCHEMA a_table_of_a_server_that_is_not_there;
SET search_path = a_table_of_a_server_that_is_not_there;
CREATE TABLE orders (id int PRIMARY KEY);
