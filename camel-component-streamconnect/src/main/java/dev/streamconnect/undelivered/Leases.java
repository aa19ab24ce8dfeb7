package dev.streamconnect.undelivered;

import java.time.Duration;
import org.jdbi.v3.core.Handle;

/** Leases by the database's clock. */
final class Leases {

    private static final String END =
            "current_timestamp + cast(:millis as bigint) * interval '0.001' second";

    private static final String TAKE =
            "update streamconnect_lease set owner = :owner, expires_at = "
                    + END
                    + " where name = :name and (owner = :owner or expires_at <= current_timestamp)";

    private static final String EXISTS =
            "select count(*) from streamconnect_lease where name = :name";

    private static final String ADD =
            "insert into streamconnect_lease (name, owner, expires_at) values (:name, :owner, "
                    + END
                    + ")";

    private static final String RELEASE =
            "delete from streamconnect_lease where name = :name and owner = :owner";

    private Leases() {}

    /** Of two nodes that add one at once, the second breaks its unique name and is called again. */
    static boolean take(Handle handle, String name, String owner, Duration duration) {
        if (write(handle, TAKE, name, owner, duration)) {
            return true;
        }
        long held = handle.createQuery(EXISTS).bind("name", name).mapTo(Long.class).one();
        return held == 0 && write(handle, ADD, name, owner, duration);
    }

    private static boolean write(
            Handle handle, String sql, String name, String owner, Duration duration) {
        return handle.createUpdate(sql)
                        .bind("name", name)
                        .bind("owner", owner)
                        .bind("millis", duration.toMillis())
                        .execute()
                == 1;
    }

    static void release(Handle handle, String name, String owner) {
        handle.createUpdate(RELEASE).bind("name", name).bind("owner", owner).execute();
    }
}
