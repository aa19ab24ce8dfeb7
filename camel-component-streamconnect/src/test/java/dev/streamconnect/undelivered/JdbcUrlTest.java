package dev.streamconnect.undelivered;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdbcUrlTest {

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://h:1/db, jdbc:postgresql://h:1/db,,",
        "jdbc:postgresql://h/db?password=s%26t&ssl=true&user=u, jdbc:postgresql://h/db?ssl=true, u, s&t",
        "jdbc:postgresql://h/db?user=u&PASSWORD=st, jdbc:postgresql://h/db, u, st",
        "jdbc:postgresql://h/db?ssl=true&password=, jdbc:postgresql://h/db?ssl=true,, ''",
        "jdbc:postgresql://u:s@h/db, jdbc:postgresql://h/db, u, s",
        "jdbc:h2:file:/x/y;PASSWORD=s t;USER=u;TRACE_LEVEL_FILE=0, jdbc:h2:file:/x/y;TRACE_LEVEL_FILE=0, u, s t",
    })
    void user_and_password_are_taken_out(String url, String text, String user, String password) {
        assertThat(JdbcUrl.of(url)).isEqualTo(new JdbcUrl(text, user, password));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://h/db?sslpassword=secret, jdbc:postgresql://h/db",
        "jdbc:h2:file:/x/y;CIPHER=AES, jdbc:h2:file:/x/y",
        "jdbc:postgresql://u:s@h/db, jdbc:postgresql://h/db",
    })
    void people_see_the_place_alone(String url, String place) {
        assertThat(JdbcUrl.of(url)).hasToString(place);
    }
}
