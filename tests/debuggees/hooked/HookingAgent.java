// SPDX-License-Identifier: Apache-2.0

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

/**
 * An agent whose transformer gives Hooked another word. With `retransform` it is asked at each change of a class, with
 * `calls` it calls the class meanwhile, once that runs. With `touches` it calls Touched.Late whenever that is changed.
 */
public final class HookingAgent implements ClassFileTransformer {
    static volatile boolean isRunning;
    private final boolean calls;
    private final boolean touches;

    private HookingAgent(String options) {
        calls = options.contains("calls");
        touches = options.contains("touches");
    }

    public static void premain(String options, Instrumentation instrumentation) {
        HookingAgent agent = new HookingAgent(options);
        instrumentation.addTransformer(agent, options.contains("retransform"));
    }

    public static void agentmain(String options, Instrumentation instrumentation) throws Exception {
        premain(options, instrumentation);
        instrumentation.retransformClasses(Hooked.class);
        Hooked.goes = true;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (touches && redefined != null && "Touched$Late".equals(name)) {
            Touched.Late.touch(-1);
        }
        if (!"Hooked".equals(name)) {
            return null;
        }
        if (calls && isRunning) {
            Hooked.passed(7);
        }
        byte[] from = "plain".getBytes(StandardCharsets.UTF_8);
        byte[] to = "other".getBytes(StandardCharsets.UTF_8);
        byte[] made = bytes.clone();
        for (int at = 0; at + from.length <= made.length; at++) {
            int same = 0;
            while (same < from.length && made[at + same] == from[same]) {
                same++;
            }
            if (same == from.length) {
                System.arraycopy(to, 0, made, at, to.length);
            }
        }
        return made;
    }
}
