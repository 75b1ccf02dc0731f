package dev.jugg.vd.job;

import android.app.job.IJobService;
import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.app.job.JobScheduler;
import android.app.job.JobWorkItem;
import android.content.Intent;
import android.content.pm.ParceledListSlice;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.RemoteException;
import android.util.Log;
import dev.jugg.vd.am.AppServices;
import dev.jugg.vd.am.Proxies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The jobs of this process, as the system's job scheduler has them: they run while the process lives. The device is always
 * charging, connected and never idle.
 */
public final class Jobs {
  private static final Jobs INSTANCE = new Jobs();

  private final List<Job> jobs = new ArrayList<>();
  /** Of the services that run one. */
  private final Map<Job, IJobService> services = new HashMap<>();
  private final Handler main = new Handler(Looper.getMainLooper());

  private Jobs() {}

  public static Jobs instance() {
    return INSTANCE;
  }

  /** Arguments as IJobScheduler.aidl of Android 15 has them. */
  Object call(String method, Object[] arguments) {
    switch (method) {
      case "schedule":
        return schedule((String) arguments[0], (JobInfo) arguments[1]);
      case "enqueue":
        return enqueue((String) arguments[0], (JobInfo) arguments[1], (JobWorkItem) arguments[2]);
      case "cancel":
        Job job = find((String) arguments[0], (Integer) arguments[1]);
        if (job != null) {
          cancel(job);
        }
        return null;
      case "cancelAll":
        all().forEach(this::cancel);
        return null;
      case "cancelAllInNamespace":
        of((String) arguments[0]).forEach(this::cancel);
        return null;
      case "getAllPendingJobs":
        Map<String, ParceledListSlice<JobInfo>> byNamespace = new HashMap<>();
        all().forEach(each -> byNamespace.put(each.namespace, new ParceledListSlice<>(infos(of(each.namespace)))));
        return byNamespace;
      case "getAllPendingJobsInNamespace":
        return new ParceledListSlice<>(infos(of((String) arguments[0])));
      case "getPendingJob":
        Job pending = find((String) arguments[0], (Integer) arguments[1]);
        return pending == null ? null : pending.info;
      default:
        return Proxies.DEFAULT;
    }
  }

  private synchronized int schedule(String namespace, JobInfo info) {
    JobRules.check(info);
    Job old = find(namespace, info.getId());
    if (old != null) {
      cancel(old);
    }
    Job job = new Job(namespace, info);
    jobs.add(job);
    later(job, job.firstDelay());
    return JobScheduler.RESULT_SUCCESS;
  }

  private synchronized int enqueue(String namespace, JobInfo info, JobWorkItem item) {
    Job job = find(namespace, info.getId());
    if (job == null) {
      schedule(namespace, info);
      job = find(namespace, info.getId());
    }
    job.work.add(item);
    return JobScheduler.RESULT_SUCCESS;
  }

  /** As {@code cmd jobscheduler run -f}: false when there is none. */
  public boolean runNow(int id) {
    Job job = all().stream().filter(each -> each.info.getId() == id).findFirst().orElse(null);
    if (job != null) {
      main.post(() -> run(job));
    }
    return job != null;
  }

  private void later(Job job, long delayMs) {
    if (delayMs >= 0) {
      main.postDelayed(() -> run(job), delayMs);
    }
  }

  private synchronized void run(Job job) {
    if (!jobs.contains(job) || job.running != null) {
      return;
    }
    JobInfo info = job.info;
    JobParameters parameters = new JobParameters(
        new JobCallback(this, job),
        job.namespace,
        info.getId(),
        info.getExtras(),
        info.getTransientExtras(),
        info.getClipData(),
        info.getClipGrantFlags(),
        job.isLate(),
        info.isExpedited(),
        info.isUserInitiated(),
        null,
        null,
        null);
    job.running = parameters;
    Intent service = new Intent().setComponent(info.getService());
    if (!AppServices.instance().bindHere(service, job, binder -> start(job, parameters, binder))) {
      Log.w("JobScheduler", info.getService() + " runs in another process: its jobs do not run on the virtual device");
    }
  }

  private void start(Job job, JobParameters parameters, IBinder binder) {
    try {
      IJobService service = IJobService.Stub.asInterface(binder);
      synchronized (this) {
        services.put(job, service);
      }
      service.startJob(parameters);
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Its service has done it, or asks to be called again. */
  synchronized void finished(Job job, boolean again) {
    if (job.running == null) {
      return;
    }
    job.running = null;
    services.remove(job);
    AppServices.instance().unbind(job);
    if (!jobs.contains(job)) {
      return;
    }
    job.failures = again ? job.failures + 1 : 0;
    if (again) {
      later(job, job.backoff());
    } else if (job.info.isPeriodic()) {
      later(job, job.info.getIntervalMillis());
    } else {
      jobs.remove(job);
    }
  }

  synchronized JobWorkItem nextWork(Job job) {
    return job.work.poll();
  }

  private synchronized void cancel(Job job) {
    jobs.remove(job);
    IJobService service = services.get(job);
    if (service == null || job.running == null) {
      return;
    }
    try {
      service.stopJob(job.running);
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized List<Job> all() {
    return List.copyOf(jobs);
  }

  private List<Job> of(String namespace) {
    return all().stream().filter(job -> Objects.equals(job.namespace, namespace)).toList();
  }

  private Job find(String namespace, int id) {
    return of(namespace).stream().filter(job -> job.info.getId() == id).findFirst().orElse(null);
  }

  private static List<JobInfo> infos(List<Job> jobs) {
    return new ArrayList<>(jobs.stream().map(job -> job.info).toList());
  }
}
