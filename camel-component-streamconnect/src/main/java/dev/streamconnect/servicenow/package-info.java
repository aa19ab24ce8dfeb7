/**
 * Replication records in the tables of a ServiceNow instance, read and written by its Table API.
 */
package dev.streamconnect.servicenow;
