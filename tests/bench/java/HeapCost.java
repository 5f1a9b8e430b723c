// SPDX-License-Identifier: Apache-2.0

/** So many objects: lists of a thousand nodes each, each with a number of its own, held by one array. */
@SuppressWarnings("removal")
public final class HeapCost {
    static final class Node {
        final Node next;
        final Integer value;

        Node(Node next, Integer value) {
            this.next = next;
            this.value = value;
        }
    }

    private static final int LENGTH = 1000;

    static Node[] lists;

    private HeapCost() {}

    public static void main(String[] arguments) throws Exception {
        int objects = Integer.parseInt(arguments[0]);
        lists = new Node[objects / 2 / LENGTH];
        for (int list = 0; list < lists.length; ++list) {
            for (int each = 0; each < LENGTH; ++each) {
                lists[list] = new Node(lists[list], new Integer(list)); // each its own object
            }
        }
        System.out.println("ready");
        System.in.read();
    }
}
