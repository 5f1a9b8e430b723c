// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.PluginParameterExpressionEvaluator;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * Writes down how Surefire and Failsafe run the tests of a module: the configuration of each execution
 * in the effective model (profiles and pluginManagement are in it), computed as Maven does when it
 * configures a plugin, so with the properties that other plugins have set.
 */
final class MavenTests {
    private static final String GROUP = "org.apache.maven.plugins:";
    /** Parameters that a property sets if the configuration does not. */
    private static final String[][] BY_PROPERTY = {
        {"argLine", "argLine"},
        {"groups", "groups"},
        {"excludedGroups", "excludedGroups"},
        {"skip", "maven.test.skip"},
        {"skipTests", "skipTests"},
        {"skipExec", "maven.test.skip.exec"},
        {"skipITs", "skipITs"},
        {"enableAssertions", "enableAssertions"},
        {"additionalClasspathElements", "maven.test.additionalClasspath"},
        {"classpathDependencyExcludes", "maven.test.dependency.excludes"},
        {"jvm", "jvm"},
        {"forkCount", "forkCount"},
        {"forkMode", "forkMode"},
        {"reuseForks", "reuseForks"},
        {"parallel", "parallel"},
        {"includes", "surefire.includes"},
        {"excludes", "surefire.excludes"},
        {"includesFile", "surefire.includesFile"},
        {"excludesFile", "surefire.excludesFile"},
        {"systemPropertiesFile", "surefire.systemPropertiesFile"},
        {"suiteXmlFiles", "surefire.suiteXmlFiles"},
        {"rerunFailingTestsCount", "surefire.rerunFailingTestsCount"},
        {"dependenciesToScan", "dependenciesToScan"},
    };

    private final MavenSession session;
    private final ToolchainManager toolchains;

    MavenTests(MavenSession session, ToolchainManager toolchains) {
        this.session = session;
        this.toolchains = toolchains;
    }

    /** The lines of one module, as fields. */
    List<String[]> of(MavenProject project) {
        List<String[]> lines = new ArrayList<>();
        MavenSession own = session.clone();
        own.setCurrentProject(project);
        if (session.getLocalRepository() != null) {
            lines.add(new String[] {"localRepository", session.getLocalRepository().getBasedir()});
        }
        Properties given = session.getUserProperties();
        for (String name : given.stringPropertyNames()) {
            lines.add(new String[] {"userProperty", name, given.getProperty(name)});
        }
        plugin(project, own, "maven-surefire-plugin", "test", lines);
        plugin(project, own, "maven-failsafe-plugin", "integration-test", lines);
        return lines;
    }

    private void plugin(
            MavenProject project, MavenSession own, String name, String goal, List<String[]> lines) {
        Plugin plugin = project.getBuild().getPluginsAsMap().get(GROUP + name);
        if (plugin == null) {
            return;
        }
        for (PluginExecution each : plugin.getExecutions()) {
            if (!each.getGoals().contains(goal) || "none".equals(each.getPhase())) {
                continue;
            }
            String key = name + " " + each.getId();
            lines.add(new String[] {"testRun", key, name, String.valueOf(plugin.getVersion()), each.getId()});
            MojoExecution mojo = new MojoExecution(plugin, goal, each.getId());
            PluginParameterExpressionEvaluator evaluator =
                    new PluginParameterExpressionEvaluator(own, mojo);
            Set<String> configured = new HashSet<>();
            Xpp3Dom configuration = (Xpp3Dom) each.getConfiguration();
            if (configuration != null) {
                for (Xpp3Dom child : configuration.getChildren()) {
                    configured.add(child.getName());
                    collect(key, "", child, project, evaluator, lines);
                }
            }
            for (String[] parameter : BY_PROPERTY) {
                String text = "${" + parameter[1] + "}";
                String value = evaluated(text, project, evaluator);
                if (!configured.contains(parameter[0]) && !value.equals(text) && !value.isEmpty()) {
                    lines.add(new String[] {"testSetting", key, parameter[0], value});
                }
            }
            String java = java(own, configuration);
            if (java != null) {
                lines.add(new String[] {"testSetting", key, "jdk", java});
            }
        }
    }

    private static void collect(
            String key,
            String above,
            Xpp3Dom node,
            MavenProject project,
            PluginParameterExpressionEvaluator evaluator,
            List<String[]> lines) {
        String path = above + node.getName();
        if (node.getChildCount() == 0) {
            String value = node.getValue() == null ? "" : evaluated(node.getValue(), project, evaluator);
            lines.add(new String[] {"testSetting", key, path, value});
        }
        for (Xpp3Dom child : node.getChildren()) {
            collect(key, path + "/", child, project, evaluator, lines);
        }
    }

    /** With `${…}` as Maven computes it, then `@{…}` as Surefire does. What is not known stays. */
    private static String evaluated(
            String text, MavenProject project, PluginParameterExpressionEvaluator evaluator) {
        String value = text;
        try {
            Object found = evaluator.evaluate(text);
            value = found == null ? text : String.valueOf(found);
        } catch (Exception unknown) {
            // As it is written; the one who applies it tells the user.
        }
        for (Map.Entry<Object, Object> each : project.getProperties().entrySet()) {
            value = value.replace("@{" + each.getKey() + "}", String.valueOf(each.getValue()));
        }
        return value;
    }

    /** The java command of the toolchain, if the build has chosen one. */
    private String java(MavenSession own, Xpp3Dom configuration) {
        try {
            Xpp3Dom wanted = configuration == null ? null : configuration.getChild("jdkToolchain");
            Toolchain found = null;
            if (wanted != null) {
                Map<String, String> requirements = new TreeMap<>();
                for (Xpp3Dom each : wanted.getChildren()) {
                    requirements.put(each.getName(), each.getValue());
                }
                List<Toolchain> all = toolchains.getToolchains(own, "jdk", requirements);
                found = all == null || all.isEmpty() ? null : all.get(0);
            } else {
                found = toolchains.getToolchainFromBuildContext("jdk", own);
            }
            return found == null ? null : found.findTool("java");
        } catch (RuntimeException none) {
            return null;
        }
    }
}
