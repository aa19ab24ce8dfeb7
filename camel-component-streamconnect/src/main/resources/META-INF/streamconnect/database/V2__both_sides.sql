-- Counts of topic replications that read both sides of Hermes.

alter table streamconnect_metrics add column reordered bigint default 0 not null;
alter table streamconnect_metrics add column repeated bigint default 0 not null;
alter table streamconnect_metrics add column drain_limits_hit bigint default 0 not null;
