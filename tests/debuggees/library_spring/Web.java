// SPDX-License-Identifier: Apache-2.0

import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/**
 * Spring MVC with controllers that bind request parameters by the names of the methods' parameters. The first argument
 * is a folder for Tomcat. Prints the port. GET /end ends it.
 */
public final class Web {
    private Web() {}

    /** Switches Spring MVC on. */
    @EnableWebMvc
    public static class Settings {}

    /** A controller for a plain breakpoint. */
    @RestController
    public static class Plain {
        @GetMapping("/plain")
        public String plain(@RequestParam int times, @RequestParam(defaultValue = "x") String name) {
            return name.repeat(times); // @plain
        }
    }

    /** One for a breakpoint with a condition. */
    @RestController
    public static class Conditional {
        @GetMapping("/conditional")
        public String conditional(@RequestParam int times, @RequestParam String name) {
            return name.repeat(times); // @conditional
        }
    }

    /** One for a log point. */
    @RestController
    public static class Logged {
        @GetMapping("/logged")
        public String logged(@RequestParam int times, @RequestParam String name) {
            return name.repeat(times); // @logged
        }

        @GetMapping("/unwatched")
        public String unwatched(@RequestParam int times, @RequestParam String name) {
            return name.repeat(times);
        }
    }

    /** One for a trace. */
    @RestController
    public static class Traced {
        @GetMapping("/traced")
        public String traced(@RequestParam int times, @RequestParam String name) {
            return name.repeat(times);
        }
    }

    /** Ends the program. */
    @RestController
    public static class End {
        @GetMapping("/end")
        public String end() {
            new Thread(() -> System.exit(0)).start();
            return "ends";
        }
    }

    public static void main(String[] args) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[0]);
        tomcat.setPort(0);
        Context context = tomcat.addContext("", null);
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(
                Settings.class, Plain.class, Conditional.class, Logged.class, Traced.class, End.class);
        Tomcat.addServlet(context, "spring", new DispatcherServlet(beans)).setLoadOnStartup(1);
        context.addServletMappingDecoded("/*", "spring");
        tomcat.start();
        System.out.println("port " + tomcat.getConnector().getLocalPort());
        tomcat.getServer().await();
    }
}
