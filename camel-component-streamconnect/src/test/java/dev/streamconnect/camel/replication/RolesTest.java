package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.streamconnect.access.AccessRoles;
import dev.streamconnect.access.Users;
import dev.streamconnect.camel.console.Consoles;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.security.auth.Subject;
import org.apache.camel.CamelAuthorizationException;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.impl.console.DefaultDevConsoleRegistry;
import org.apache.camel.test.junit5.TestExecutionConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Roles of users")
class RolesTest extends UndeliveredTestSupport {

    private static final Subject ADMIN = Users.ofKaraf("ann", AccessRoles.ADMIN);
    private static final Subject USER = Users.ofKaraf("bob", AccessRoles.USER);
    private static final Subject STRANGER = Users.ofKaraf("eve", "viewer", "manager");

    private static final String NOT_ADMIN =
            " is refused: the caller (bob, message_replication_user) has none of the roles message_replication_admin";

    /** Operations that change, with the arguments after the id. */
    private static final Map<String, List<String>> CHANGES =
            new TreeMap<>(
                    Map.of(
                            "pause", List.of(),
                            "resume", List.of(),
                            "retry", List.of(),
                            "park", List.of(),
                            "discard", List.of(),
                            "replay", List.of("earliest")));

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Override
    public void configureTest(TestExecutionConfiguration test) {
        super.configureTest(test);
        test.withJMX(true);
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("replication:orders-to-sn").routeId("orders").to("mock:x");
            }
        };
    }

    private ObjectName bean(String query) throws JMException {
        return server.queryNames(
                        new ObjectName(
                                "org.apache.camel:context="
                                        + context.getManagementName()
                                        + ","
                                        + query),
                        null)
                .iterator()
                .next();
    }

    private ObjectName link() throws JMException {
        return bean("type=replications,name=\"orders-to-sn\"");
    }

    private ObjectName component() throws JMException {
        return bean("type=components,name=\"replication\"");
    }

    private Object invoke(ObjectName bean, String operation, List<String> arguments)
            throws JMException {
        String[] types = new String[arguments.size()];
        Arrays.fill(types, String.class.getName());
        return server.invoke(bean, operation, arguments.toArray(), types);
    }

    private String refusal(
            Subject user, ObjectName bean, String operation, List<String> arguments) {
        return refusal(() -> Users.as(user, () -> invoke(bean, operation, arguments)));
    }

    private static String refusal(ThrowingCallable call) {
        Throwable failure = catchThrowable(call);
        while (failure != null && failure.getCause() != null) {
            failure = failure.getCause();
        }
        assertThat(failure).isExactlyInstanceOf(SecurityException.class);
        return failure.getMessage();
    }

    @Test
    @DisplayName("the user may read by JMX and not change, the admin may both")
    void operations() throws Exception {
        for (var change : CHANGES.entrySet()) {
            String operation = change.getKey();
            List<String> own = change.getValue();
            List<String> named = new ArrayList<>(List.of("orders-to-sn"));
            named.addAll(change.getValue());
            assertThat(refusal(USER, link(), operation, own)).isEqualTo(operation + NOT_ADMIN);
            assertThat(refusal(USER, component(), operation, named))
                    .isEqualTo(operation + NOT_ADMIN);
            assertThat(engine.links.get("orders-to-sn").isPaused()).isFalse();
            Users.as(ADMIN, () -> invoke(link(), operation, own));
            Users.as(ADMIN, () -> invoke(component(), operation, named));
            Users.as(ADMIN, () -> invoke(link(), "resume", List.of()));
        }
        for (Subject user : List.of(USER, ADMIN)) {
            assertThat(Users.as(user, () -> invoke(component(), "status", List.of("*"))).toString())
                    .contains("orders-to-sn");
            assertThat(Users.as(user, () -> invoke(component(), "metrics", List.of("*"))))
                    .isEqualTo("[]");
        }
        assertThat(refusal(STRANGER, component(), "metrics", List.of("*")))
                .startsWith("metrics is refused: the caller (")
                .endsWith(
                        ") has none of the roles message_replication_user, message_replication_admin");
    }

    @Test
    @DisplayName("attributes are for users and admins")
    void attributes() throws Exception {
        int read = 0;
        for (ObjectName bean : List.of(link(), component())) {
            for (MBeanAttributeInfo attribute : server.getMBeanInfo(bean).getAttributes()) {
                if (bean.equals(component())
                        && !List.of("States", "MessageReplications", "RecordsStatus")
                                .contains(attribute.getName())) {
                    continue;
                }
                String name = attribute.getName();
                Users.as(USER, () -> server.getAttribute(bean, name));
                Users.as(ADMIN, () -> server.getAttribute(bean, name));
                assertThat(refusal(() -> Users.as(STRANGER, () -> server.getAttribute(bean, name))))
                        .startsWith("status is refused: ");
                read++;
            }
        }
        assertThat(read).as("attributes").isGreaterThan(25);
    }

    @Test
    @DisplayName("the options name the roles, and may refuse those who are not logged in")
    void options() throws Exception {
        ReplicationComponent component =
                context.getComponent("replication", ReplicationComponent.class);
        component.stop();
        component.setAdminRoles("manager");
        component.setUserRoles("viewer");
        component.setRequireRoles(true);
        component.start();
        assertThat(Users.as(STRANGER, () -> invoke(link(), "pause", List.of())).toString())
                .contains("orders-to-sn");
        assertThat(refusal(ADMIN, link(), "resume", List.of()))
                .isEqualTo(
                        "resume is refused: the caller (ann, message_replication_admin) has none of the roles manager");
        assertThat(refusal(() -> invoke(link(), "resume", List.of())))
                .isEqualTo(
                        "resume is refused: a caller who is not logged in has none of the roles manager");
        component.stop();
        component.setUserRoles(" ");
        assertThatThrownBy(component::start)
                .hasStackTraceContaining("userRoles: names no role; leave it out for the default");
    }

    private Exchange ask(String uri, Object user) {
        return template.request(
                uri, exchange -> exchange.getMessage().setHeader(Exchange.AUTHENTICATION, user));
    }

    @ParameterizedTest
    @EnumSource(ReplicationOperation.class)
    @DisplayName("a route asks for the user of its exchange, or else for itself")
    void routes(ReplicationOperation operation) {
        String uri =
                "replication:orders-to-sn?operation="
                        + operation
                        + (operation == ReplicationOperation.REPLAY ? "&replayFrom=earliest" : "");
        assertThat(allowed(ask(uri, null))).isTrue();
        assertThat(allowed(ask(uri, ADMIN))).isTrue();
        assertThat(allowed(ask(uri, USER))).isEqualTo(!operation.changes());
        assertThat(allowed(ask(uri, STRANGER))).isFalse();
    }

    /** It may fail, as for a row that is not there. */
    private static boolean allowed(Exchange exchange) {
        return !(exchange.getException() instanceof CamelAuthorizationException);
    }

    @Test
    @DisplayName("a route's refusal is one of Camel's, in one line")
    void refusalOfRoutes() {
        assertThat(ask("replication:*?operation=pause", USER).getException())
                .isInstanceOf(CamelAuthorizationException.class)
                .message()
                .contains("pause" + NOT_ADMIN)
                .doesNotContain("\n");
        assertThat(ask("replication:*?operation=preflight&testMessage=true", USER).getException())
                .hasMessageContaining("preflight" + NOT_ADMIN);
        assertThat(ask("replication:*?operation=status", "ann").getException())
                .isInstanceOf(CamelAuthorizationException.class)
                .hasMessageContaining(
                        "CamelAuthentication: is a java.lang.String, and neither a Subject nor a Principal");
        assertThat(
                        ask(
                                        "replication:*?operation=pause",
                                        new Users.NamedPrincipal(AccessRoles.ADMIN))
                                .getException())
                .isNull();
    }

    @Test
    @DisplayName("a route does not ask for the user of its thread, who may be whoever started it")
    void threadOfRoute() throws Exception {
        Exchange answer =
                Users.as(
                        STRANGER,
                        () -> template.request("replication:*?operation=status", e -> {}));
        assertThat(answer.getException()).isNull();
    }

    @Test
    @DisplayName("the dev console says to others why it shows nothing")
    void console() throws Exception {
        DefaultDevConsoleRegistry consoles = new DefaultDevConsoleRegistry(context);
        context.getCamelContextExtension().addContextPlugin(DevConsoleRegistry.class, consoles);
        Consoles.register(context);
        DevConsole console = (DevConsole) consoles.getConsole("streamconnect").orElseThrow();
        for (DevConsole.MediaType type : DevConsole.MediaType.values()) {
            assertThat(Users.as(STRANGER, () -> console.call(type)).toString())
                    .contains("dev console streamconnect is refused: the caller (")
                    .doesNotContain("orders-to-sn");
            assertThat(Users.as(USER, () -> console.call(type)).toString())
                    .contains("orders-to-sn");
            assertThat(console.call(type).toString()).contains("orders-to-sn");
        }
    }
}
