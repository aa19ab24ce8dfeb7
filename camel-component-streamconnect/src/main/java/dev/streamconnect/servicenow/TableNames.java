package dev.streamconnect.servicenow;

import java.util.Map;

/**
 * What a table of the instance and its columns are called.
 *
 * @param table name of the table
 * @param columns names of the columns by the field that they hold; a field without column is not
 *     read or written
 */
record TableNames(String table, Map<String, String> columns) {

    TableNames {
        columns = Map.copyOf(columns);
    }

    /** Where a value of a row stands, for people. */
    String place(String host, String sysId, String field) {
        return host + "/" + table + "/" + sysId + "/" + columns.getOrDefault(field, field);
    }

    /** Where a row stands, for people. */
    String place(String host, String sysId) {
        return host + "/" + table + "/" + sysId;
    }
}
