package dev.streamconnect.cli;

import org.apache.camel.dsl.jbang.core.commands.CamelJBangMain;

/** Starts the Camel CLI, as its own script does; it has a main class, but no main method. */
public final class CamelCli {

    private CamelCli() {}

    public static void main(String[] arguments) {
        CamelJBangMain.run(arguments);
    }
}
