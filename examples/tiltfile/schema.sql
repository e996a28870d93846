create table products (id int primary key, name text);
