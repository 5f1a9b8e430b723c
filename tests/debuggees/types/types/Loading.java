// SPDX-License-Identifier: Apache-2.0
package types;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;

/** Brings the types into the states that the conversations ask about. */
class Loading {
    static final String SOURCE_MAP =
            "SMAP\nMapped.java\nTemplate\n*S Template\n*F\n+ 1 page.tpl\nweb/page.tpl\n*L\n10#1,3:5,4\n*E\n";

    static void begin() throws Exception {
        for (String name : new String[] {"Shape", "Extended", "Marked", "Leaf$Inner", "Leaf$Secret", "Leaf$Nested",
                "Uncounted", "Square", "Primitives"}) {
            Class.forName("types.Types$" + name);
        }
        Class.forName("types.Types$Prepared", false, Types.loader).getDeclaredFields();
        Types.unlinked = Class.forName("types.Types$Unlinked", false, Types.loader);
        try {
            Class.forName("types.Types$Broken");
        } catch (ExceptionInInitializerError expected) {
            Types.go = false;
        }
        Types.leaf.work();
        Types.hidden = Types.lookup()
                .defineHiddenClass(code("Hidden"), true, MethodHandles.Lookup.ClassOption.NESTMATE)
                .lookupClass().getDeclaredConstructor().newInstance();
        Types.proxy = Types.proxyOf(Runnable.class);
        Hidden ordinary = new Hidden();
        ordinary.twice();
        Types.definer = new ClassLoader("definer", Types.loader) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                if (!name.equals("types.Hidden") && !name.equals("types.Mapped")) {
                    return super.loadClass(name);
                }
                try {
                    byte[] code = code(name.substring(6));
                    code = name.endsWith("Mapped") ? withSourceMap(code) : code;
                    return defineClass(name, code, 0, code.length);
                } catch (IOException unreadable) {
                    throw new ClassNotFoundException(name, unreadable);
                }
            }
        };
        Types.twin = create("types.Hidden");
        Types.mapped = create("types.Mapped");
    }

    static Object create(String name) throws Exception {
        var constructor = Class.forName(name, true, Types.definer).getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    static byte[] code(String name) throws IOException {
        try (InputStream stream = Types.class.getResourceAsStream(name + ".class")) {
            return stream.readAllBytes();
        }
    }

    /** The class file with a SourceDebugExtension attribute more (JVM specification 4.7.11). */
    static byte[] withSourceMap(byte[] code) throws IOException {
        DataInputStream in = new DataInputStream(new java.io.ByteArrayInputStream(code));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(in.readNBytes(8));
        int constants = in.readUnsignedShort();
        out.writeShort(constants + 1);
        for (int index = 1; index < constants; index++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1 -> out.writeUTF(in.readUTF());
                case 7, 8, 16, 19, 20 -> out.write(in.readNBytes(2));
                case 15 -> out.write(in.readNBytes(3));
                case 5, 6 -> {
                    out.write(in.readNBytes(8));
                    index++;
                }
                default -> out.write(in.readNBytes(4));
            }
        }
        out.writeByte(1);
        out.writeUTF("SourceDebugExtension");
        out.write(in.readNBytes(6));
        int interfaces = in.readUnsignedShort();
        out.writeShort(interfaces);
        out.write(in.readNBytes(2 * interfaces));
        copyMembers(in, out);
        copyMembers(in, out);
        int attributes = in.readUnsignedShort();
        out.writeShort(attributes + 1);
        copyAttributes(in, out, attributes);
        byte[] map = SOURCE_MAP.getBytes("UTF-8");
        out.writeShort(constants);
        out.writeInt(map.length);
        out.write(map);
        return bytes.toByteArray();
    }

    private static void copyMembers(DataInputStream in, DataOutputStream out) throws IOException {
        int members = in.readUnsignedShort();
        out.writeShort(members);
        for (int member = 0; member < members; member++) {
            out.write(in.readNBytes(6));
            int attributes = in.readUnsignedShort();
            out.writeShort(attributes);
            copyAttributes(in, out, attributes);
        }
    }

    private static void copyAttributes(DataInputStream in, DataOutputStream out, int attributes) throws IOException {
        for (int attribute = 0; attribute < attributes; attribute++) {
            out.write(in.readNBytes(2));
            int length = in.readInt();
            out.writeInt(length);
            out.write(in.readNBytes(length));
        }
    }
}
