package dev.streamconnect.undelivered;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDBC URL without secrets: user and password that it carried are taken out.
 *
 * @param text the URL for the driver
 * @param user what it named, null if it named none
 * @param password what it named, null if it named none
 */
record JdbcUrl(String text, String user, String password) {

    private static final Pattern SETTING =
            Pattern.compile("([?&;])(user|password)=([^&;]*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER_INFO = Pattern.compile("//([^/@?;]*)@");

    static JdbcUrl of(String url) {
        String user = null;
        String password = null;
        StringBuilder rest = new StringBuilder();
        Matcher setting = SETTING.matcher(url);
        while (setting.find()) {
            if (setting.group(2).equalsIgnoreCase("user")) {
                user = plain(url, setting.group(3));
            } else {
                password = plain(url, setting.group(3));
            }
            setting.appendReplacement(rest, setting.group(1).equals("?") ? "?" : "");
        }
        setting.appendTail(rest);
        String text = rest.toString().replace("?&", "?").replaceAll("\\?$", "");
        Matcher info = USER_INFO.matcher(text);
        if (info.find()) {
            String[] parts = info.group(1).split(":", 2);
            user = parts[0];
            password = parts.length > 1 ? parts[1] : password;
            text = info.replaceFirst("//");
        }
        return new JdbcUrl(text, user, password);
    }

    private static String plain(String url, String value) {
        boolean encoded = url.startsWith("jdbc:postgresql:");
        return encoded ? URLDecoder.decode(value, StandardCharsets.UTF_8) : value;
    }

    boolean isH2() {
        return text.startsWith("jdbc:h2:");
    }

    /** H2 in this process, not in a server of its own. */
    boolean isLocalH2() {
        return isH2() && !text.startsWith("jdbc:h2:tcp:") && !text.startsWith("jdbc:h2:ssl:");
    }

    boolean isPostgreSql() {
        return text.startsWith("jdbc:postgresql:");
    }

    boolean hasSetting(String name) {
        String setting = "[?&;]" + Pattern.quote(name) + "=";
        return Pattern.compile(setting, Pattern.CASE_INSENSITIVE).matcher(text).find();
    }

    /** For people: the place, without settings. */
    String place() {
        return text.split("[?;]", 2)[0];
    }

    @Override
    public String toString() {
        return place();
    }
}
