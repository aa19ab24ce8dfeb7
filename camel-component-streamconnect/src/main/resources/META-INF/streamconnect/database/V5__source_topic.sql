-- Where a row came from by name: a record can be given other topics and keep its id.

alter table streamconnect_undelivered add column source_topic varchar default '' not null;
