package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.MessageReplicationStatus;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.metrics.WindowReader;
import dev.streamconnect.servicenow.InstanceRecordStore;
import dev.streamconnect.servicenow.InstanceReports;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Has the states and metrics windows of this node written to the instance that the records come
 * from, on a thread of its own: nothing waits for the instance.
 */
final class InstanceWriteBack {

    private static final long EACH_SECONDS = 5;
    private static final long STOP_MILLIS = 2_000;
    private static final String READER = "instance";

    private final ReplicationComponent component;
    private final InstanceRecordStore store;
    private final InstanceReports reports;
    private final WindowReader windows;
    private final ScheduledExecutorService thread;

    InstanceWriteBack(ReplicationComponent component, InstanceRecordStore store) {
        this.component = component;
        this.store = store;
        this.reports = store.reports();
        this.windows =
                ContextEngine.of(component.getCamelContext())
                        .engine()
                        .metrics()
                        .reader(READER, id -> true);
        this.thread =
                component
                        .getCamelContext()
                        .getExecutorServiceManager()
                        .newScheduledThreadPool(this, "StreamConnectWriteBack", 1);
        thread.scheduleWithFixedDelay(this::run, EACH_SECONDS, EACH_SECONDS, TimeUnit.SECONDS);
    }

    private void run() {
        collect();
        reports.runOnce();
    }

    /** What is there now is to be written. */
    void collect() {
        ServiceNowWriteBack what = component.getServiceNowWriteBack();
        if (what.hasStatus()) {
            reports.status(statuses());
        }
        if (what.hasMetrics()) {
            reports.metrics(windows.take().windows(), store::topicReplicationRow);
        }
    }

    private List<InstanceReports.Status> statuses() {
        String node = ContextEngine.of(component.getCamelContext()).node();
        List<InstanceReports.Status> all = new ArrayList<>();
        for (LinkStatus status : component.states()) {
            store.topicReplicationRow(status.id())
                    .ifPresent(
                            row ->
                                    all.add(
                                            new InstanceReports.Status(
                                                    true,
                                                    row,
                                                    node,
                                                    status.state().name(),
                                                    status.reason(),
                                                    status.errorSince())));
        }
        for (MessageReplicationStatus status : component.messageReplications()) {
            store.messageReplicationRow(status.name())
                    .ifPresent(
                            row ->
                                    all.add(
                                            new InstanceReports.Status(
                                                    false,
                                                    row,
                                                    node,
                                                    status.state().name(),
                                                    status.reason(),
                                                    status.errorSince())));
        }
        return all;
    }

    /** One line for people. */
    String state() {
        return reports.state();
    }

    /** Writes what there is, within two seconds, and ends. */
    void stop() {
        thread.submit(this::run);
        thread.shutdown();
        try {
            thread.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        component.getCamelContext().getExecutorServiceManager().shutdownNow(thread);
    }
}
