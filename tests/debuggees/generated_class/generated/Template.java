// SPDX-License-Identifier: Apache-2.0
package generated;

/** What `Produced` is made of. */
public class Template implements Runnable {
    private int kept = 3;

    @Override
    public void run() {
        int more = kept + 1;
        System.out.println(more); // @run
    }
}
