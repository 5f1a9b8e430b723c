// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.MavenProject;

/**
 * Takes out of a build what makes no classes that are wanted: plugins that only check, format or
 * report (a wrong header of a licence is no reason not to debug), and the tests of modules that are
 * built because another one needs their classes. Only in memory: the POM is not changed.
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

    private static final Set<String> OF_TESTS =
            new HashSet<>(
                    Arrays.asList(
                            "testCompile",
                            "testResources",
                            "test-compile",
                            "compileTests",
                            "add-test-source",
                            "addTestSources",
                            "generateTestStubs",
                            "removeTestStubs"));

    private MavenChecks() {}

    /** `wanted`: the folder of the module that is built for its own sake; null for all. */
    static void leaveOut(List<MavenProject> projects, String wanted) {
        Set<String> tested = new HashSet<>();
        for (MavenProject each : projects) {
            for (Dependency needed : each.getDependencies()) {
                if ("test-jar".equals(needed.getType()) || "tests".equals(needed.getClassifier())) {
                    tested.add(needed.getGroupId() + ":" + needed.getArtifactId());
                }
            }
        }
        for (MavenProject each : projects) {
            leaveOut(each);
            boolean isWanted = wanted == null || wanted.equals(each.getBasedir().getPath());
            if (!isWanted && !tested.contains(each.getGroupId() + ":" + each.getArtifactId())) {
                leaveOutTests(each);
            }
        }
    }

    private static void leaveOutTests(MavenProject project) {
        for (Plugin plugin : project.getBuild().getPlugins()) {
            for (PluginExecution each : plugin.getExecutions()) {
                List<String> left = new ArrayList<>(each.getGoals());
                left.removeAll(OF_TESTS);
                each.setGoals(left);
            }
        }
    }

    private static void leaveOut(MavenProject project) {
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
