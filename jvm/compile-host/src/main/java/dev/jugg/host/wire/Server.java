package dev.jugg.host.wire;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.jugg.host.HostException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Reads requests and runs them side by side on a small pool. */
public final class Server {
  /** Turns the parameters of a method into its result. */
  public interface Handler {
    /** Throws {@link HostException} for what can be foreseen. */
    Object handle(String method, JsonObject params, Call call) throws Exception;
  }

  /** Two compilers side by side fill the usual machine; the rest is for short requests in between. */
  private static final int THREADS = 4;

  private final Answers answers;
  private final Handler handler;
  private final Map<Long, Call> calls = new ConcurrentHashMap<>();
  private final Tidying tidying;
  private final ExecutorService pool =
      Executors.newFixedThreadPool(THREADS, work -> daemon(work, "compile-host"));

  public Server(Answers answers, Handler handler) {
    this.answers = answers;
    this.handler = handler;
    this.tidying = new Tidying(answers);
  }

  static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    // Errors of requests are answered. What is left is a JVM whose own classes cannot be loaded any more, which would leave its
    // calls waiting: the client starts another one.
    thread.setUncaughtExceptionHandler(
        (failed, error) -> {
          error.printStackTrace();
          Runtime.getRuntime().halt(4);
        });
    return thread;
  }

  /** Returns when the input ends. */
  public void serve(InputStream in) throws IOException {
    JsonObject ready = new JsonObject();
    ready.addProperty("pid", ProcessHandle.current().pid());
    ready.addProperty("java", Runtime.version().toString());
    answers.event("ready", ready);
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      accept(line);
    }
    calls.values().forEach(Call::cancel);
  }

  private void accept(String line) {
    try {
      JsonObject request = JsonParser.parseString(line).getAsJsonObject();
      String method = request.get("method").getAsString();
      JsonObject params = request.has("params") ? request.getAsJsonObject("params") : new JsonObject();
      if (method.equals("cancel")) {
        Call call = calls.get(params.get("id").getAsLong());
        if (call != null) {
          call.cancel();
        }
        return;
      }
      Call call = new Call(request.get("id").getAsLong(), answers);
      calls.put(call.id(), call);
      pool.execute(() -> run(method, params, call));
    } catch (JsonParseException | IllegalStateException | NullPointerException e) {
      System.err.println("compile host: not a request: " + e);
    }
  }

  private void run(String method, JsonObject params, Call call) {
    tidying.begin();
    try {
      call.check();
      call.succeed(handler.handle(method, params, call));
    } catch (HostException e) {
      call.fail(e);
    } catch (OutOfMemoryError e) {
      // Nothing in this JVM can be trusted after that; the client starts another one.
      call.fail(new HostException("ENVIRONMENT_ERROR", "The compile host ran out of memory."));
      Runtime.getRuntime().halt(3);
    } catch (Throwable e) {
      e.printStackTrace();
      call.fail(new HostException("INTERNAL_ERROR", method + ": " + e));
    } finally {
      calls.remove(call.id());
      tidying.end();
    }
  }
}
