/**
 * Key pairs, certificates and stores of a Hermes client, and an authority for development.
 *
 * <p>The only package that uses Bouncy Castle. Its provider is passed as an instance and never
 * registered for the whole JVM.
 */
package dev.streamconnect.certificate;
