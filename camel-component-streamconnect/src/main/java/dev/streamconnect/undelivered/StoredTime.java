package dev.streamconnect.undelivered;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Times as both databases keep them: to the microsecond, between the years 1 and 9999. */
final class StoredTime {

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    private StoredTime() {}

    static OffsetDateTime toColumn(Instant time) {
        return rounded(time).atOffset(ZoneOffset.UTC);
    }

    /** The time as it will be read again. */
    static Instant rounded(Instant time) {
        if (time.isBefore(FIRST)) {
            return FIRST;
        }
        return time.isAfter(LAST) ? LAST : time.truncatedTo(ChronoUnit.MICROS);
    }

    /** Null where the column is null. */
    static Instant fromColumn(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
