/** Certificates of the sandbox and the files that clients connect with. */
package dev.streamconnect.sandbox.client;
