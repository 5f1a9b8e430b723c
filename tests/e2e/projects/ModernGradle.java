// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.util.Map;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.testfixtures.ProjectBuilder;

/** Runs our report in a project of the Gradle that is on the class path: folder, scripts. */
public final class ModernGradle {
    private ModernGradle() {}

    public static void main(String[] args) {
        Project project = ProjectBuilder.builder().withProjectDir(new File(args[0])).build();
        project.getPluginManager().apply("java");
        for (int i = 1; i < args.length; i++) {
            project.apply(Map.of("from", args[i]));
        }
        Task task = project.getTasks().getByName("jvmdebugReport");
        task.getActions().forEach(each -> each.execute(task));
        System.exit(0); // threads of Gradle would go on
    }
}
