/** Who may use operations, where the runtime has users. */
package dev.streamconnect.access;
