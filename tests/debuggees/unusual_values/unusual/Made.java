// SPDX-License-Identifier: Apache-2.0
package unusual;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;

/** Classes that no compiler makes: with very many fields, and with names that Java has not. */
final class Made {
    private static final int PUBLIC = 1;
    private static final int UTF8 = 1;
    private static final int CLASS = 7;

    private Made() {}

    /** An object of a class with int fields of these names, all of them 0. */
    static Object with(String className, String... fields) throws Exception {
        Class<?> type = MethodHandles.lookup().defineClass(bytes(className, fields));
        return Blank.of(type);
    }

    private static byte[] bytes(String className, String... fields) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(content);
        out.writeInt(0xCAFEBABE);
        out.writeInt(55);
        out.writeShort(6 + fields.length);
        utf8(out, "unusual/" + className);
        reference(out, 1);
        utf8(out, "java/lang/Object");
        reference(out, 3);
        utf8(out, "I");
        for (String field : fields) {
            utf8(out, field);
        }
        out.writeShort(PUBLIC);
        out.writeShort(2);
        out.writeShort(4);
        out.writeShort(0);
        out.writeShort(fields.length);
        for (int at = 0; at < fields.length; at++) {
            out.writeShort(PUBLIC);
            out.writeShort(6 + at);
            out.writeShort(5);
            out.writeShort(0);
        }
        out.writeShort(0);
        out.writeShort(0);
        return content.toByteArray();
    }

    private static void utf8(DataOutputStream out, String text) throws IOException {
        out.writeByte(UTF8);
        out.writeUTF(text);
    }

    private static void reference(DataOutputStream out, int name) throws IOException {
        out.writeByte(CLASS);
        out.writeShort(name);
    }
}
