package dev.jugg.vd.job;

import android.app.Notification;
import android.app.job.IJobCallback;
import android.app.job.JobWorkItem;

/** What a job's service tells of one run. */
final class JobCallback extends IJobCallback.Stub {
  private final Jobs jobs;
  private final Job job;

  JobCallback(Jobs jobs, Job job) {
    this.jobs = jobs;
    this.job = job;
  }

  @Override
  public void acknowledgeStartMessage(int id, boolean ongoing) {
    if (!ongoing) {
      jobs.finished(job, false);
    }
  }

  @Override
  public void acknowledgeStopMessage(int id, boolean again) {
    jobs.finished(job, again);
  }

  @Override
  public void jobFinished(int id, boolean again) {
    jobs.finished(job, again);
  }

  @Override
  public JobWorkItem dequeueWork(int id) {
    JobWorkItem item = jobs.nextWork(job);
    if (item == null) {
      // As JobServiceContext: with no work left the job is done.
      jobs.finished(job, false);
    }
    return item;
  }

  @Override
  public boolean completeWork(int id, int workId) {
    return true;
  }

  @Override
  public void acknowledgeGetTransferredDownloadBytesMessage(int id, int workId, long bytes) {}

  @Override
  public void acknowledgeGetTransferredUploadBytesMessage(int id, int workId, long bytes) {}

  @Override
  public void updateEstimatedNetworkBytes(int id, JobWorkItem item, long download, long upload) {}

  @Override
  public void updateTransferredNetworkBytes(int id, JobWorkItem item, long download, long upload) {}

  @Override
  public void setNotification(int id, int notificationId, Notification notification, int policy) {}
}
