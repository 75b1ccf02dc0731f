package dev.jugg.host.dex;

import dev.jugg.host.Diagnostic;
import java.io.IOException;
import java.util.List;

/** Translates class files to dex and merges dex files. */
interface Dexer {
  /** Writes to the job's output folder and answers all messages; with an error among them there is no result. */
  List<Diagnostic> run(Job job) throws IOException;
}
