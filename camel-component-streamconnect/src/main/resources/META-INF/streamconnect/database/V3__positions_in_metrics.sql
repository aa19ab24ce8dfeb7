alter table streamconnect_metrics add column gap_messages bigint default 0 not null;
alter table streamconnect_metrics add column position_events bigint default 0 not null;
alter table streamconnect_metrics add column assigned_partitions integer default 0 not null;
alter table streamconnect_metrics add column total_partitions integer default 0 not null;
