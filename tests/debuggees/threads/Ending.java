// SPDX-License-Identifier: Apache-2.0

/** A thread that ends while another has its monitor: it waits for that outside of all Java code. */
public class Ending {
    public static void main(String[] args) throws InterruptedException {
        while (true) {
            Thread ending = new Thread(() -> {}, "ending");
            synchronized (ending) {
                ending.start();
                Thread.sleep(50);
            }
            ending.join();
        }
    }
}
