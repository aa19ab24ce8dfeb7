package dev.streamconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;

class SecretsInLogsTest {

    @Test
    void noLogHoldsASecretEvenWhenEverythingIsLogged() {
        List<String> lines = new CopyOnWriteArrayList<>();
        AbstractAppender appender =
                new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
                    @Override
                    public void append(LogEvent event) {
                        lines.add(event.getMessage().getFormattedMessage());
                    }
                };
        appender.start();
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        Level before = context.getConfiguration().getRootLogger().getLevel();
        context.getConfiguration().getRootLogger().addAppender(appender, Level.ALL, null);
        Configurator.setRootLevel(Level.ALL);
        try {
            LogManager.getLogger("com.networknt.schema").trace("seen");
            RecordsText.read(RecordsReaderTest.SECRETS);
            RecordsText.refused(RecordsReaderTest.SECRETS.replace("  password", "  pasword"));
        } finally {
            Configurator.setRootLevel(before);
            context.getConfiguration().getRootLogger().removeAppender("lines");
        }
        assertThat(lines).contains("seen").noneMatch(line -> line.contains("hush"));
    }
}
