// SPDX-License-Identifier: Apache-2.0
package eyes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Bytecode as text that names what constants are, not where they are in the pool. */
final class Code {
    private static final int LDC = 18;
    private static final int LDC_W = 19;
    private static final int TABLESWITCH = 170;
    private static final int LOOKUPSWITCH = 171;
    private static final int WIDE = 196;
    private static final int IINC = 132;

    private Code() {}

    /** For a code and the constant pool of its class, as in a class file. */
    static String text(byte[] code, byte[] pool) {
        ByteBuffer constants = ByteBuffer.wrap(pool);
        int[] places = places(constants);
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < code.length; ) {
            int opcode = code[at] & 0xff;
            int size = size(code, at);
            int index = -1;
            if (opcode == LDC) {
                index = code[at + 1] & 0xff;
            } else if (namesConstant(opcode)) {
                index = (code[at + 1] & 0xff) << 8 | code[at + 2] & 0xff;
            }
            text.append(at).append(' ').append(opcode);
            if (index >= 0) {
                text.append(' ').append(constant(constants, places, index));
            }
            int seen = index < 0 ? 1 : opcode == LDC ? 2 : 3;
            for (int operand = seen; operand < size; operand++) {
                text.append(' ').append(code[at + operand]);
            }
            text.append('\n');
            at += size;
        }
        return text.toString();
    }

    private static boolean namesConstant(int opcode) {
        return opcode == LDC_W
                || opcode == 20
                || opcode >= 178 && opcode <= 187
                || opcode == 189
                || opcode == 192
                || opcode == 193
                || opcode == 197;
    }

    /** Of an instruction, by table 6.5 of the specification of the VM. */
    private static int size(byte[] code, int at) {
        int opcode = code[at] & 0xff;
        if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
            ByteBuffer bytes = ByteBuffer.wrap(code);
            int behind = at / 4 * 4 + 4;
            int cases = opcode == TABLESWITCH
                    ? bytes.getInt(behind + 8) - bytes.getInt(behind + 4) + 1
                    : 2 * bytes.getInt(behind + 4);
            return behind + (opcode == TABLESWITCH ? 12 : 8) + 4 * cases - at;
        }
        if (opcode == WIDE) {
            return (code[at + 1] & 0xff) == IINC ? 6 : 4;
        }
        switch (opcode) {
            case 16: case LDC: case 169: case 188: return 2;
            case 17: case LDC_W: case 20: case IINC: case 187: case 189: return 3;
            case 192: case 193: case 198: case 199: return 3;
            case 197: return 4;
            case 185: case 186: case 200: case 201: return 5;
            default: break;
        }
        if (opcode >= 21 && opcode <= 25 || opcode >= 54 && opcode <= 58) {
            return 2;
        }
        return opcode >= 153 && opcode <= 168 || opcode >= 178 && opcode <= 184 ? 3 : 1;
    }

    private static int[] places(ByteBuffer constants) {
        int[] places = new int[constants.limit()];
        int index = 1;
        for (int at = 0; at < constants.limit(); index++) {
            places[index] = at;
            int tag = constants.get(at);
            if (tag == 5 || tag == 6) {
                index++;
            }
            at += tag == 1 ? 3 + (constants.getShort(at + 1) & 0xffff) : size(tag);
        }
        return places;
    }

    /** Of an entry of the pool, but for text. */
    private static int size(int tag) {
        switch (tag) {
            case 5: case 6: return 9;
            case 7: case 8: case 16: case 19: case 20: return 3;
            case 15: return 4;
            default: return 5;
        }
    }

    /** Of an invokedynamic and of a dynamic constant without its bootstrap method. */
    private static String constant(ByteBuffer constants, int[] places, int index) {
        int at = places[index];
        int tag = constants.get(at);
        int first = constants.getShort(at + 1) & 0xffff;
        int second = tag != 1 && size(tag) == 5 ? constants.getShort(at + 3) & 0xffff : 0;
        String told;
        if (tag == 1) {
            told = new String(constants.array(), at + 3, first, StandardCharsets.UTF_8);
        } else if (tag == 3 || tag == 4) {
            told = String.valueOf(constants.getInt(at + 1));
        } else if (tag == 5 || tag == 6) {
            told = String.valueOf(constants.getLong(at + 1));
        } else if (tag == 15) {
            told = constants.get(at + 1) + constant(constants, places, constants.getShort(at + 2) & 0xffff);
        } else if (tag == 17 || tag == 18) {
            told = constant(constants, places, second);
        } else if (second == 0) {
            told = constant(constants, places, first);
        } else {
            told = constant(constants, places, first) + '.' + constant(constants, places, second);
        }
        return tag + ":" + told;
    }
}
