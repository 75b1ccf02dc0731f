package dev.jugg.host.dex;

import dev.jugg.host.wire.Call;
import java.nio.file.Path;
import java.util.List;

/** What a dexer is asked to do. */
final class Job {
  final Call call;

  /** Class files, jars or dex files. */
  List<Path> programFiles = List.of();

  List<Path> classPath = List.of();
  List<Path> bootClassPath = List.of();

  /** Files of synthetic classes that D8 shares between all dex files of an app. */
  List<Path> globals = List.of();

  int minApi;

  /** One dex file for each class (with the synthetic classes made for it), else as few as possible. */
  boolean perClass;

  /** The program is dex already: nothing in it is to be translated once more. */
  boolean merge;

  Path output;

  Job(Call call) {
    this.call = call;
  }
}
