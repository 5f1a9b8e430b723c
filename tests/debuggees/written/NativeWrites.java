// SPDX-License-Identifier: Apache-2.0
// Fields that native code writes.
public class NativeWrites {
    static class Plain {
        int value;
    }

    static class Later {
        static native void set(Plain it, int value);
    }

    int value;

    native void set(int value);

    public static void main(String[] arguments) {
        System.loadLibrary("written");
        NativeWrites own = new NativeWrites(); // @native-ready
        Plain plain = new Plain();
        for (int i = 0; i < 3; i++) {
            own.value = -i;
            own.set(i);
            plain.value = -i; // @plain
        }
        Later.set(plain, 7); // @native-later
        plain.value = 8;
    }
}
