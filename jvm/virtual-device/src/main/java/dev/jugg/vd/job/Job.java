package dev.jugg.vd.job;

import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.app.job.JobWorkItem;
import java.util.ArrayDeque;
import java.util.Deque;

/** A job that was scheduled, and what became of it so far. */
final class Job {
  /** {@code JobInfo.MAX_BACKOFF_DELAY_MILLIS} */
  private static final long LONGEST_BACKOFF_MS = 5 * 60 * 60 * 1000L;

  /** Null for the default one. */
  final String namespace;

  final JobInfo info;
  final Deque<JobWorkItem> work = new ArrayDeque<>();
  /** How often it has asked to be run again. */
  int failures;
  /** Of the run that goes on; null between runs. */
  JobParameters running;

  Job(String namespace, JobInfo info) {
    this.namespace = namespace;
    this.info = info;
  }

  /** In ms; negative for one whose conditions this device never meets. */
  long firstDelay() {
    if (info.isRequireDeviceIdle() || info.getTriggerContentUris() != null) {
      return isLate() ? info.getMaxExecutionDelayMillis() : -1;
    }
    return info.isPeriodic() ? info.getIntervalMillis() - info.getFlexMillis() : info.getMinLatencyMillis();
  }

  /** Whether it only runs because its deadline has come. */
  boolean isLate() {
    boolean neverFits = info.isRequireDeviceIdle() || info.getTriggerContentUris() != null;
    return neverFits && !info.isPeriodic() && info.getMaxExecutionDelayMillis() > 0;
  }

  /** As JobSchedulerService.getRescheduleJobForFailureLocked. */
  long backoff() {
    long initial = Math.max(info.getInitialBackoffMillis(), JobInfo.getMinBackoffMillis());
    long delay = info.getBackoffPolicy() == JobInfo.BACKOFF_POLICY_LINEAR
        ? initial * failures
        : initial << Math.min(failures - 1, 20);
    return Math.min(delay, LONGEST_BACKOFF_MS);
  }
}
