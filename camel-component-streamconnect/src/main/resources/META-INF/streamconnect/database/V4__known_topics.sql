-- How far each group has read each partition, and in which topic: a broker forgets it.

create table streamconnect_known_topic (
    topic varchar not null,
    consumer_group varchar not null,
    cluster varchar not null,
    side varchar not null,
    topic_partition integer not null,
    topic_id varchar not null,
    cluster_id varchar not null,
    first_partitions integer not null,
    position bigint not null,
    first_seen timestamp(6) with time zone not null,
    last_seen timestamp(6) with time zone not null,
    primary key (topic, consumer_group, cluster, side, topic_partition)
);
