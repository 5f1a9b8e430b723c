// SPDX-License-Identifier: Apache-2.0
package real;

import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import oracle.Workload;
import org.apache.catalina.startup.Tomcat;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Spring MVC in Tomcat answers requests. */
public final class Spring implements Workload, AutoCloseable {
    private static final String[] PATHS = {
        "/owners?lastName=Davi", "/owners?lastName=F&page=3", "/owners/1", "/owners/9", "/owners/x", "/owners", "/missing",
    };
    private final HttpClient client = HttpClient.newHttpClient();
    private final Tomcat tomcat = new Tomcat();

    /** What Spring is to have on. */
    @EnableWebMvc
    public static class Settings {}

    public Spring() throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        tomcat.setBaseDir(Path.of("tomcat").toAbsolutePath().toString());
        tomcat.setPort(0);
        tomcat.getConnector();
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.register(Settings.class, Owners.class);
        var served = tomcat.addContext("", null);
        Tomcat.addServlet(served, "spring", new DispatcherServlet(context)).setLoadOnStartup(1);
        served.addServletMappingDecoded("/", "spring");
        tomcat.start();
    }

    @Override
    public void round(PrintStream out) throws Exception {
        int port = tomcat.getConnector().getLocalPort();
        for (int time = 0; time < 5; ++time) {
            for (String path : PATHS) {
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
                HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (time == 0) {
                    out.println(path + " " + answer.statusCode() + " " + answer.body());
                } else if (answer.statusCode() == 500) {
                    out.println(path + " " + answer.body());
                }
            }
        }
    }

    @Override
    public void close() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }
}
