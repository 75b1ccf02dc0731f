package dev.jugg.host;

import com.google.gson.JsonObject;
import dev.jugg.host.classes.ClassInfos;
import dev.jugg.host.classes.StubJar;
import dev.jugg.host.dex.DexOperations;
import dev.jugg.host.javac.JavaCompile;
import dev.jugg.host.kotlin.KotlinCompile;
import dev.jugg.host.sign.ApkSigning;
import dev.jugg.host.wire.Call;
import dev.jugg.host.wire.Server;

/** The methods of the host by name. */
final class Operations implements Server.Handler {
  private final JavaCompile javac = new JavaCompile();
  private final KotlinCompile kotlin = new KotlinCompile();
  private final DexOperations dex = new DexOperations();
  private final ApkSigning signing = new ApkSigning();

  @Override
  public Object handle(String method, JsonObject params, Call call) throws Exception {
    return switch (method) {
      case "compileJava" -> javac.compile(Params.read(params, JavaCompile.Request.class), call);
      case "compileKotlin" -> kotlin.compile(Params.read(params, KotlinCompile.Request.class), call);
      case "classInfo" -> ClassInfos.of(Params.read(params, ClassInfos.Request.class), call);
      case "dex" -> dex.perClass(Params.read(params, DexOperations.PerClassRequest.class), call);
      case "dexJar" -> dex.jar(Params.read(params, DexOperations.JarRequest.class), call);
      case "mergeDex" -> dex.merge(Params.read(params, DexOperations.MergeRequest.class), call);
      case "sign" -> signing.sign(Params.read(params, ApkSigning.Request.class), call);
      case "stubJar" -> StubJar.make(Params.read(params, StubJar.Request.class), call);
      default -> throw new HostException("INVALID_PARAMS", "no such method: " + method);
    };
  }
}
