package dev.jugg.host.sign;

import dev.jugg.host.FileTrees;
import dev.jugg.host.HostException;
import dev.jugg.host.Params;
import dev.jugg.host.wire.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Signs an aligned APK with schemes v1 (where Android 6 and older are meant too) and v2, newer signers also with v3. */
public final class ApkSigning {
  /**
   * @param alias name of the key in the keystore; {@code password} is that of the store and of the key
   * @param signer a jar with {@code com.android.apksig}, or null for the one on the host's class path
   */
  public record Request(
      String input, String output, int minSdk, String keystore, String alias, String password, String signer) {}

  public record Reply(String output) {}

  private final Map<String, ApkSig> loaded = new HashMap<>();

  public Reply sign(Request request, Call call) throws IOException {
    Path input = Params.path("input", request.input());
    Path output = Params.path("output", request.output());
    SigningKey key =
        SigningKey.read(Params.path("keystore", request.keystore()), request.alias(), request.password());
    if (!Files.isRegularFile(input)) {
      throw new HostException("APK_NOT_FOUND", "There is no APK at " + input + ".");
    }
    Files.createDirectories(output.getParent());
    Path part = Files.createTempFile(output.getParent(), ".signing", ".apk");
    try {
      signer(request.signer()).sign(key, input.toFile(), part.toFile(), request.minSdk());
      call.commit();
      FileTrees.moveInPlace(part, output);
    } finally {
      Files.deleteIfExists(part);
    }
    return new Reply(output.toString());
  }

  private synchronized ApkSig signer(String jar) throws IOException {
    ApkSig known = loaded.get(jar);
    if (known == null) {
      known = jar == null ? ApkSig.ofClassPath() : ApkSig.of(Params.path("signer", jar));
      loaded.put(jar, known);
    }
    return known;
  }
}
