// SPDX-License-Identifier: Apache-2.0
package strata;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Gives a class file a JSR-45 source map, which javac does not. */
class SourceMap {
    private SourceMap() {}

    /** The class file with a SourceDebugExtension attribute more (JVM specification 4.7.11). */
    static byte[] with(byte[] code, String text) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(code));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(in.readNBytes(8));
        int constants = in.readUnsignedShort();
        out.writeShort(constants + 1);
        for (int index = 1; index < constants; index++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1:
                    out.writeUTF(in.readUTF());
                    break;
                case 7:
                case 8:
                case 16:
                case 19:
                case 20:
                    out.write(in.readNBytes(2));
                    break;
                case 15:
                    out.write(in.readNBytes(3));
                    break;
                case 5:
                case 6:
                    out.write(in.readNBytes(8));
                    index++;
                    break;
                default:
                    out.write(in.readNBytes(4));
                    break;
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
        byte[] map = text.getBytes("UTF-8");
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
