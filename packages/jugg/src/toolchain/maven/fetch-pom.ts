import type { Coordinates } from './coordinates.ts';

/** Any version that has the goal `get` does; this one is old enough for every mirror and new enough for Maven 4. */
const PLUGIN_VERSION = '3.6.1';

/**
 * A project that does nothing but fetch: one execution of `dependency:get` for each artifact, without what it depends on.
 * Dependencies of a project would be resolved with one version each and with their POMs.
 */
export function fetchPom(artifacts: readonly Coordinates[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>dev.jugg.fetch</groupId>
  <artifactId>fetch</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-dependency-plugin</artifactId>
        <version>${PLUGIN_VERSION}</version>
        <executions>
${artifacts.map(execution).join('\n')}
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
`;
}

/** The parts of coordinates are checked when they are read: none needs escaping. */
function execution(coordinates: Coordinates, index: number): string {
  const { group, artifact, version, extension, classifier } = coordinates;
  const name = [group, artifact, version, extension, ...(classifier === null ? [] : [classifier])].join(':');
  return `          <execution>
            <id>fetch-${index}</id>
            <phase>generate-resources</phase>
            <goals><goal>get</goal></goals>
            <configuration>
              <artifact>${name}</artifact>
              <transitive>false</transitive>
            </configuration>
          </execution>`;
}
