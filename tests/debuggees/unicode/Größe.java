// SPDX-License-Identifier: Apache-2.0

/** Names beyond ASCII everywhere, and strings that UTF-8 and the JVM's own form spell differently. */
public final class Größe {
    private final int läng€ = 3;
    private String naïve = "grün";

    private int 数える(int öffnung) {
        int Σ = öffnung + läng€;
        String emoji = "tick \u2713, smile \uD83D\uDE00, zero \u0000, lone \uD83D end";
        return Σ + emoji.length(); // @unicode
    }

    public static void main(String[] args) {
        Größe größe = new Größe();
        System.out.println(größe.数える(4) + größe.naïve);
    }
}
