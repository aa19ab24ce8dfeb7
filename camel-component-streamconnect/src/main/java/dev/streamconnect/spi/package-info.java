/** What others may implement. The contracts are in the Javadoc of each interface. */
package dev.streamconnect.spi;
