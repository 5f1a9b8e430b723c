// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.inject.Inject;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.eventspy.AbstractEventSpy;
import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Activation;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.model.Profile;
import org.apache.maven.model.Resource;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.DefaultDependencyResolutionRequest;
import org.apache.maven.project.DependencyResolutionException;
import org.apache.maven.project.DependencyResolutionResult;
import org.apache.maven.project.MavenProject;
import org.apache.maven.project.ProjectDependenciesResolver;
import org.apache.maven.toolchain.ToolchainManager;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.graph.DependencyNode;

/**
 * Writes down what a build consists of, while Maven reads it: all modules with their folders and
 * resolved dependencies. `maven.py` compiles it against the Maven that is used and has Maven load it
 * (`-Dmaven.ext.class.path`), so that no plugin has to be downloaded.
 *
 * <p>Dependencies among the modules are not resolved, since they need not be installed: they are the
 * other module's output folders. The report is a file of lines with fields between tabs; it is written
 * when the session starts, and again when it ends, with generated sources and what was executed.
 */
@Named("jvmdebug")
@Singleton
public final class MavenReport extends AbstractEventSpy {
    private static final String REPORT = "jvmdebug.report";
    private static final String MODULE = "jvmdebug.module";
    private static final String COMPILER = "org.apache.maven.plugins:maven-compiler-plugin";

    private final ProjectDependenciesResolver resolver;
    private final ToolchainManager toolchains;
    private final Map<MavenProject, List<String>> dependencies = new LinkedHashMap<>();
    private final Map<MavenProject, List<String>> executed = new HashMap<>();

    @Inject
    public MavenReport(ProjectDependenciesResolver resolver, ToolchainManager toolchains) {
        this.resolver = resolver;
        this.toolchains = toolchains;
    }

    @Override
    public void onEvent(Object given) throws Exception {
        if (!(given instanceof ExecutionEvent) || System.getProperty(REPORT) == null) {
            return;
        }
        ExecutionEvent event = (ExecutionEvent) given;
        switch (event.getType()) {
            case SessionStarted:
                MavenChecks.leaveOut(all(event.getSession()), System.getProperty(MODULE));
                resolve(event.getSession());
                write(event.getSession());
                break;
            case MojoSucceeded:
                remember(event.getProject(), event.getMojoExecution());
                break;
            case SessionEnded:
                write(event.getSession());
                break;
            default:
                break;
        }
    }

    private synchronized void remember(MavenProject project, MojoExecution mojo) {
        String line = line("executed", mojo.getLifecyclePhase(), mojo.getArtifactId(), mojo.getGoal());
        executed.computeIfAbsent(project, each -> new ArrayList<>()).add(line);
    }

    private void resolve(MavenSession session) {
        Map<String, MavenProject> modules = new HashMap<>();
        for (MavenProject each : all(session)) {
            modules.put(key(each.getGroupId(), each.getArtifactId(), each.getVersion()), each);
        }
        for (MavenProject each : all(session)) {
            dependencies.put(each, resolved(session, each, modules));
        }
    }

    private static List<MavenProject> all(MavenSession session) {
        List<MavenProject> all = session.getAllProjects();
        return all == null || all.isEmpty() ? session.getProjects() : all;
    }

    private List<String> resolved(
            MavenSession session, MavenProject project, Map<String, MavenProject> modules) {
        DefaultDependencyResolutionRequest request =
                new DefaultDependencyResolutionRequest(project, session.getRepositorySession());
        request.setResolutionFilter(
                (node, parents) ->
                        node.getArtifact() == null || moduleOf(node.getArtifact(), modules) == null);
        List<String> lines = new ArrayList<>();
        DependencyResolutionResult result;
        try {
            result = resolver.resolve(request);
        } catch (DependencyResolutionException failed) {
            result = failed.getResult();
            lines.add(line("unresolved", String.valueOf(failed.getMessage())));
        }
        if (result.getDependencyGraph() != null) {
            Map<String, String> found = new LinkedHashMap<>();
            collect(result.getDependencyGraph(), modules, found);
            lines.addAll(found.values());
        }
        return lines;
    }

    /** In Maven's own order: a dependency before those that it brings. */
    private static void collect(
            DependencyNode node, Map<String, MavenProject> modules, Map<String, String> found) {
        for (DependencyNode child : node.getChildren()) {
            Artifact artifact = child.getArtifact();
            if (child.getDependency() != null && artifact != null) {
                String scope = child.getDependency().getScope();
                File file = fileOf(artifact, modules);
                if (file != null) {
                    found.putIfAbsent(
                            file.getPath(),
                            line("dependency", scope, file.getPath(), coordinates(artifact)));
                }
            }
            collect(child, modules, found);
        }
    }

    private static String coordinates(Artifact artifact) {
        return String.join(
                ":",
                artifact.getGroupId(),
                artifact.getArtifactId(),
                artifact.getExtension(),
                artifact.getClassifier(),
                artifact.getBaseVersion());
    }

    private static File fileOf(Artifact artifact, Map<String, MavenProject> modules) {
        MavenProject module = moduleOf(artifact, modules);
        if (module == null) {
            return "pom".equals(artifact.getExtension()) ? null : artifact.getFile();
        }
        if ("pom".equals(module.getPackaging())) {
            return null;
        }
        boolean isTests = "tests".equals(artifact.getClassifier());
        return new File(
                isTests
                        ? module.getBuild().getTestOutputDirectory()
                        : module.getBuild().getOutputDirectory());
    }

    private static MavenProject moduleOf(Artifact artifact, Map<String, MavenProject> modules) {
        return modules.get(
                key(artifact.getGroupId(), artifact.getArtifactId(), artifact.getBaseVersion()));
    }

    private static String key(String group, String artifact, String version) {
        return group + ":" + artifact + ":" + version;
    }

    private void write(MavenSession session) throws IOException {
        Path report = Paths.get(System.getProperty(REPORT));
        Path unfinished = report.resolveSibling(report.getFileName() + ".new");
        try (BufferedWriter out = Files.newBufferedWriter(unfinished, StandardCharsets.UTF_8)) {
            out.write(line("java", System.getProperty("java.home")));
            MavenTests tests = new MavenTests(session, toolchains);
            for (MavenProject each : all(session)) {
                for (String line : module(each)) {
                    out.write(line);
                }
                for (File file : settings(session)) {
                    out.write(line("pom", file.getPath()));
                }
                for (String[] fields : tests.of(each)) {
                    out.write(line(fields));
                }
                for (String line : dependencies.getOrDefault(each, Collections.emptyList())) {
                    out.write(line);
                }
                synchronized (this) {
                    for (String line : executed.getOrDefault(each, Collections.emptyList())) {
                        out.write(line);
                    }
                }
            }
            out.write(line("end"));
        }
        Files.move(unfinished, report, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What the answer depends on beside POMs; `-s` and `-t` of a `.mvn/maven.config` may name others. */
    private static List<File> settings(MavenSession session) {
        List<File> files = new ArrayList<>();
        files.add(session.getRequest().getUserSettingsFile());
        files.add(session.getRequest().getUserToolchainsFile());
        files.removeIf(each -> each == null);
        return files;
    }

    private static List<String> module(MavenProject project) {
        List<String> lines = new ArrayList<>();
        String name = project.getGroupId() + ":" + project.getArtifactId();
        lines.add(line("module", name, project.getBasedir().getPath(), project.getPackaging()));
        for (MavenProject each = project; each != null; each = each.getParent()) {
            if (each.getFile() != null) {
                lines.add(line("pom", each.getFile().getPath()));
            }
        }
        for (Profile each : project.getModel().getProfiles()) {
            Activation when = each.getActivation();
            if (when != null && when.getFile() != null) {
                watch(project, when.getFile().getExists(), lines);
                watch(project, when.getFile().getMissing(), lines);
            }
        }
        lines.add(line("output", project.getBuild().getOutputDirectory()));
        lines.add(line("testOutput", project.getBuild().getTestOutputDirectory()));
        for (String each : project.getCompileSourceRoots()) {
            lines.add(line("sources", each));
        }
        for (String each : project.getTestCompileSourceRoots()) {
            lines.add(line("testSources", each));
        }
        for (Resource each : project.getBuild().getResources()) {
            lines.add(resource("resources", each));
        }
        for (Resource each : project.getBuild().getTestResources()) {
            lines.add(resource("testResources", each));
        }
        compiler(project, lines);
        return lines;
    }

    /** A file that decides whether a profile is active. */
    private static void watch(MavenProject project, String name, List<String> lines) {
        if (name != null) {
            String path = name;
            for (String each : new String[] {"${basedir}", "${project.basedir}"}) {
                path = path.replace(each, project.getBasedir().getPath());
            }
            File file = new File(path);
            lines.add(line("pom", (file.isAbsolute() ? file : new File(project.getBasedir(), path)).getPath()));
        }
    }

    private static String resource(String kind, Resource resource) {
        boolean isPlain =
                !resource.isFiltering()
                        && resource.getTargetPath() == null
                        && resource.getIncludes().isEmpty()
                        && resource.getExcludes().isEmpty();
        return line(kind, resource.getDirectory(), isPlain ? "plain" : "processed");
    }

    private static void compiler(MavenProject project, List<String> lines) {
        for (String each :
                new String[] {
                    "maven.compiler.release",
                    "maven.compiler.source",
                    "maven.compiler.target",
                    "maven.compiler.parameters",
                    "maven.compiler.proc",
                    "maven.compiler.enablePreview",
                    "project.build.sourceEncoding"
                }) {
            String value = project.getProperties().getProperty(each);
            if (value != null) {
                lines.add(line("property", each, value));
            }
        }
        Plugin plugin = project.getBuild().getPluginsAsMap().get(COMPILER);
        if (plugin == null) {
            return;
        }
        if (plugin.getConfiguration() != null) {
            lines.add(line("compiler", "", plugin.getConfiguration().toString()));
        }
        for (PluginExecution each : plugin.getExecutions()) {
            if (each.getConfiguration() != null) {
                lines.add(line("compiler", each.getId(), each.getConfiguration().toString()));
            }
        }
    }

    private static String line(String... fields) {
        List<String> escaped = new ArrayList<>();
        for (String each : fields) {
            escaped.add(String.valueOf(each).replace("\t", " ").replaceAll("\\R", " "));
        }
        return String.join("\t", escaped) + "\n";
    }
}
