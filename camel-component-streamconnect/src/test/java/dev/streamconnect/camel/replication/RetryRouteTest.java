package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Date;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.component.quartz.QuartzComponent;
import org.apache.camel.component.quartz.QuartzEndpoint;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.listeners.JobListenerSupport;

@Tag("case-U7")
@DisplayName("The route undelivered-retry")
class RetryRouteTest extends UndeliveredTestSupport {

    /** Four of them are later than now and earlier than Quartz's misfire threshold, a minute. */
    private static final int INTERVAL = 12_000;

    /** Jobs that Quartz has run to their end. */
    private final AtomicInteger firings = new AtomicInteger();

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        ReplicationComponent component =
                context.getComponent("replication", ReplicationComponent.class);
        component.setUndeliveredStore(store);
        component.setRetryRoute(true);
        component.setRetryInterval(INTERVAL);
    }

    private SimpleTrigger trigger(Scheduler scheduler) throws Exception {
        return (SimpleTrigger) scheduler.getTrigger(endpoint().getTriggerKey());
    }

    private QuartzEndpoint endpoint() {
        return (QuartzEndpoint) context.getRoute("undelivered-retry").getEndpoint();
    }

    /** The scheduler as it is after a downtime that began so many ticks ago. */
    private Scheduler downFor(int ticks, int more) throws Exception {
        Scheduler scheduler = context.getComponent("quartz", QuartzComponent.class).getScheduler();
        await().atMost(Duration.ofSeconds(60)).until(() -> engine.retries == 1);
        scheduler.standby();
        await().until(() -> scheduler.getCurrentlyExecutingJobs().isEmpty());
        scheduler
                .getListenerManager()
                .addJobListener(
                        new JobListenerSupport() {
                            @Override
                            public String getName() {
                                return "firings";
                            }

                            @Override
                            public void jobWasExecuted(
                                    JobExecutionContext job, JobExecutionException failure) {
                                firings.incrementAndGet();
                            }
                        });
        engine.retries = 0;
        SimpleTrigger before = trigger(scheduler);
        JobDetail job = scheduler.getJobDetail(before.getJobKey());
        scheduler.deleteJob(before.getJobKey());
        Trigger late =
                TriggerBuilder.newTrigger()
                        .withIdentity(before.getKey())
                        .usingJobData(before.getJobDataMap())
                        .startAt(
                                new Date(
                                        System.currentTimeMillis()
                                                - (long) (ticks - 1) * INTERVAL
                                                - more))
                        .withSchedule(
                                SimpleScheduleBuilder.simpleSchedule()
                                        .withMisfireHandlingInstructionFireNow()
                                        .withIntervalInMilliseconds(INTERVAL)
                                        .repeatForever())
                        .build();
        scheduler.scheduleJob(job, late);
        return scheduler;
    }

    @Test
    @DisplayName("runs once for four firings that were missed and that Quartz makes up for")
    void fourMissed() throws Exception {
        Scheduler scheduler = downFor(4, 100);
        scheduler.start();
        await("all four are made up for")
                .atMost(Duration.ofSeconds(30))
                .until(() -> firings.get() >= 4);
        // The next one is due in twelve seconds: all that ran did so for what was missed.
        assertThat(engine.retries).isEqualTo(1);
        assertThat(trigger(scheduler).getMisfireInstruction())
                .isEqualTo(SimpleTrigger.MISFIRE_INSTRUCTION_FIRE_NOW);
        assertThat(endpoint().isStateful()).as("one at a time").isTrue();
    }

    @Test
    @DisplayName("runs once for a downtime that is longer than Quartz's misfire threshold")
    void longDowntime() throws Exception {
        Scheduler scheduler = downFor(40, 100);
        scheduler.start();
        await().atMost(Duration.ofSeconds(30)).until(() -> firings.get() >= 1);
        await("the next is ahead")
                .until(() -> trigger(scheduler).getNextFireTime().after(new Date()));
        assertThat(engine.retries).isEqualTo(1);
    }
}
