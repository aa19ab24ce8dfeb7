/**
 * The pair A/B and the customer's cluster: names, addresses, TLS material, and the construction of
 * clients by role.
 */
package dev.streamconnect.cluster;
