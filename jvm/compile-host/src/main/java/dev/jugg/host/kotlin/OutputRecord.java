package dev.jugg.host.kotlin;

import dev.jugg.host.Digests;
import dev.jugg.host.FileTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The class files of an output folder with their digests, as the client was last told. Kept in a file: a compile whose
 * answer never arrived (cancelled, host killed) shows up in the next answer.
 */
final class OutputRecord {
  /** @param state size and time, which spare reading a file that has not been touched */
  private record Entry(String state, String digest) {}

  static final OutputRecord NONE = new OutputRecord(Map.of());

  private final Map<String, Entry> entries;

  private OutputRecord(Map<String, Entry> entries) {
    this.entries = entries;
  }

  /** Lines of state, digest and path; an unreadable file counts as nothing told. */
  static OutputRecord read(Path file) throws IOException {
    Map<String, Entry> entries = new TreeMap<>();
    byte[] content = FileTrees.readIfPresent(file);
    if (content != null) {
      for (String line : new String(content, StandardCharsets.UTF_8).split("\n")) {
        String[] parts = line.split("\t", 3);
        if (parts.length == 3) {
          entries.put(parts[2], new Entry(parts[0], parts[1]));
        }
      }
    }
    return new OutputRecord(entries);
  }

  static OutputRecord scan(Path outputDir, OutputRecord before) throws IOException {
    Map<String, Entry> entries = new TreeMap<>();
    for (Path file : FileTrees.files(outputDir)) {
      if (!file.toString().endsWith(".class")) {
        continue;
      }
      String state = Files.size(file) + "|" + Files.getLastModifiedTime(file);
      Entry last = before.entries.get(file.toString());
      boolean same = last != null && last.state.equals(state);
      entries.put(file.toString(), new Entry(state, same ? last.digest : Digests.of(file)));
    }
    return new OutputRecord(entries);
  }

  List<String> changedSince(OutputRecord before) {
    List<String> changed = new ArrayList<>();
    entries.forEach(
        (file, entry) -> {
          Entry last = before.entries.get(file);
          if (last == null || !last.digest.equals(entry.digest)) {
            changed.add(file);
          }
        });
    return changed;
  }

  List<String> missingIn(OutputRecord now) {
    return entries.keySet().stream().filter(file -> !now.entries.containsKey(file)).toList();
  }

  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    entries.forEach(
        (path, entry) ->
            text.append(entry.state).append('\t').append(entry.digest).append('\t').append(path).append('\n'));
    FileTrees.writeAtomically(file, text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
