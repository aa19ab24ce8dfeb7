package dev.streamconnect.it;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The beans of a Karaf, as one of its users sees them over its own JMX connector. */
final class KarafJmx implements AutoCloseable {

    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private KarafJmx(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
    }

    /**
     * @param user whose password is the name
     */
    static KarafJmx connect(int registryPort, int serverPort, String user) throws IOException {
        JMXServiceURL url =
                new JMXServiceURL(
                        "service:jmx:rmi://127.0.0.1:"
                                + serverPort
                                + "/jndi/rmi://127.0.0.1:"
                                + registryPort
                                + "/karaf-root");
        return new KarafJmx(
                JMXConnectorFactory.connect(
                        url, Map.of(JMXConnector.CREDENTIALS, new String[] {user, user})));
    }

    /** Names that match, as {@code java.lang:type=*}. */
    Set<ObjectName> names(String pattern) throws IOException, JMException {
        return server.queryNames(new ObjectName(pattern), null);
    }

    Object attribute(String pattern, String attribute) throws IOException, JMException {
        return server.getAttribute(only(pattern), attribute);
    }

    /** Calls an operation whose parameters are texts. */
    Object invoke(String pattern, String operation, String... arguments)
            throws IOException, JMException {
        String[] types = new String[arguments.length];
        Arrays.fill(types, String.class.getName());
        return server.invoke(only(pattern), operation, arguments, types);
    }

    /** Names of all threads. */
    List<String> threads() throws IOException {
        ThreadMXBean threads =
                ManagementFactory.newPlatformMXBeanProxy(
                        server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        return Arrays.stream(threads.dumpAllThreads(false, false))
                .map(ThreadInfo::getThreadName)
                .toList();
    }

    private ObjectName only(String pattern) throws IOException, JMException {
        Set<ObjectName> found = names(pattern);
        if (found.size() != 1) {
            throw new IllegalStateException(pattern + ": " + found);
        }
        return found.iterator().next();
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
