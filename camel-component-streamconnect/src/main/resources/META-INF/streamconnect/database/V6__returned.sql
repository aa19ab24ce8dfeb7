alter table streamconnect_metrics add column returned bigint default 0 not null;
