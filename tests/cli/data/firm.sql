create table city(id integer primary key, name text, big boolean);
create table people(id integer primary key, name text, age int, height real,
  lives int references city(id), boss int references people, adult text);
create table likes(a int references people(id), b int references people(id));
create table code(k text primary key, v int);
create view old as select name from people where age > 40;
insert into city values (1, 'Ulm', 0), (2, 'Bonn', 1);
insert into people values (1, 'ann', 37, 1.5, 1, 2, 'yes'),
  (2, 'bob', 52, 2, 2, null, 'yes'), (3, 'cid', 12, 1.2, 2, 1, 'no');
insert into likes values (1, 2), (1, 3), (2, 3);
insert into code values ('a', 1), ('b', 2);
