package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

@DisplayName("Log lines of a topic replication")
class LinkLogTest {

    private final LoggerContext logging = (LoggerContext) LogManager.getContext(false);
    private final List<String> ids = new ArrayList<>();

    @BeforeEach
    void capture() {
        AbstractAppender appender =
                new AbstractAppender("ids", null, null, true, Property.EMPTY_ARRAY) {
                    @Override
                    public void append(LogEvent event) {
                        ids.add(event.getContextData().getValue(LinkLog.KEY));
                    }
                };
        appender.start();
        LoggerConfig logger = new LoggerConfig(StateLog.NAME, Level.INFO, false);
        logger.addAppender(appender, Level.INFO, null);
        logging.getConfiguration().addLogger(StateLog.NAME, logger);
        logging.updateLoggers();
    }

    @AfterEach
    void restore() {
        logging.getConfiguration().removeLogger(StateLog.NAME);
        logging.updateLoggers();
        MDC.remove(LinkLog.KEY);
    }

    @Test
    @DisplayName("carry its id, and the thread has none afterwards")
    void id() {
        StateLog log = new StateLog("orders", new MovedClock());
        log.tell(LinkState.FAILED, "why", false);
        assertThat(ids).containsExactly("orders");
        assertThat(MDC.get(LinkLog.KEY)).isNull();
    }

    @Test
    @DisplayName("leave to a route the id that it had, also when it fails")
    void before() {
        LinkLog.with(
                "outer",
                () -> {
                    new StateLog("inner", new MovedClock()).tell(LinkState.FAILED, "why", false);
                    assertThat(MDC.get(LinkLog.KEY)).isEqualTo("outer");
                });
        assertThatThrownBy(
                        () ->
                                LinkLog.with(
                                        "outer",
                                        () -> {
                                            throw new IllegalStateException();
                                        }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(ids).containsExactly("inner");
        assertThat(MDC.get(LinkLog.KEY)).isNull();
    }
}
