package dev.streamconnect.camel.replication;

import dev.streamconnect.access.Caller;
import dev.streamconnect.camel.ContextEngine;
import java.security.Principal;
import java.util.List;
import javax.security.auth.Subject;
import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelAuthorizationException;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.apache.camel.support.AsyncProcessorConverterHelper;
import org.apache.camel.support.DefaultAsyncProducer;
import org.apache.camel.support.service.ServiceHelper;

/**
 * An operation that is refused to a user who has not the role for it. The user is whom the route
 * has put into the exchange, where Camel looks for it; without one it is the route itself that
 * asks.
 */
final class OperationProducer extends DefaultAsyncProducer {

    private final ReplicationEndpoint endpoint;
    private final AsyncProducer operation;

    OperationProducer(ReplicationEndpoint endpoint, Producer operation) {
        super(endpoint);
        this.endpoint = endpoint;
        this.operation = AsyncProcessorConverterHelper.convert(operation);
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        Object user = exchange.getMessage().getHeader(Exchange.AUTHENTICATION);
        if (user != null) {
            try {
                ContextEngine.of(endpoint.getCamelContext())
                        .roles()
                        .check(
                                endpoint.getOperation().toString(),
                                endpoint.changesSomething(),
                                caller(user));
            } catch (SecurityException e) {
                exchange.setException(new CamelAuthorizationException(e.getMessage(), exchange));
                callback.done(true);
                return true;
            }
        }
        return operation.process(exchange, callback);
    }

    /**
     * @throws SecurityException if it is no user: somebody was to be authenticated
     */
    private static Caller caller(Object user) {
        if (user instanceof Subject subject) {
            return Caller.of(subject);
        }
        if (user instanceof Principal principal) {
            return Caller.of(List.of(principal));
        }
        throw new SecurityException(
                "header "
                        + Exchange.AUTHENTICATION
                        + ": is a "
                        + user.getClass().getName()
                        + ", and neither a Subject nor a Principal");
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        ServiceHelper.startService(operation);
    }

    @Override
    protected void doStop() throws Exception {
        ServiceHelper.stopService(operation);
        super.doStop();
    }

    @Override
    protected void doShutdown() throws Exception {
        ServiceHelper.stopAndShutdownService(operation);
        super.doShutdown();
    }
}
