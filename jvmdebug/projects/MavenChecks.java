// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;

/**
 * Takes the executions of plugins that only check, format or report out of a build, as classes alone
 * are wanted: a wrong header of a licence is no reason not to debug. Only in memory: the POM is not
 * changed.
 */
final class MavenChecks {
    private static final Set<String> PLUGINS =
            new HashSet<>(
                    Arrays.asList(
                            "animal-sniffer-maven-plugin",
                            "apache-rat-plugin",
                            "cyclonedx-maven-plugin",
                            "duplicate-finder-maven-plugin",
                            "editorconfig-maven-plugin",
                            "findbugs-maven-plugin",
                            "fmt-maven-plugin",
                            "forbiddenapis",
                            "formatter-maven-plugin",
                            "impsort-maven-plugin",
                            "japicmp-maven-plugin",
                            "ktlint-maven-plugin",
                            "maven-checkstyle-plugin",
                            "maven-enforcer-plugin",
                            "maven-pmd-plugin",
                            "modernizer-maven-plugin",
                            "revapi-maven-plugin",
                            "sortpom-maven-plugin",
                            "spotbugs-maven-plugin",
                            "spotless-maven-plugin",
                            "spring-javaformat-maven-plugin",
                            "tidy-maven-plugin"));
    /** Goals of plugins that do other things too. */
    private static final Map<String, Set<String>> GOALS = new HashMap<>();

    static {
        GOALS.put(
                "license-maven-plugin",
                new HashSet<>(
                        Arrays.asList(
                                "check", "format", "check-file-header", "update-file-header")));
        GOALS.put(
                "maven-dependency-plugin",
                new HashSet<>(Arrays.asList("analyze-only", "analyze", "analyze-duplicate")));
        GOALS.put("xml-maven-plugin", new HashSet<>(Arrays.asList("validate", "check-format")));
    }

    private MavenChecks() {}

    static void leaveOut(MavenProject project) {
        for (Plugin plugin : project.getBuild().getPlugins()) {
            boolean isWhole = PLUGINS.contains(plugin.getArtifactId());
            Set<String> goals = GOALS.get(plugin.getArtifactId());
            if (!isWhole && goals == null) {
                continue;
            }
            for (PluginExecution each : new ArrayList<>(plugin.getExecutions())) {
                List<String> left = new ArrayList<>(each.getGoals());
                if (isWhole) {
                    left.clear();
                } else {
                    left.removeAll(goals);
                }
                each.setGoals(left);
            }
        }
    }
}
