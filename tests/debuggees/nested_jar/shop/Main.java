// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.List;
import shop.data.AuthorRepository;
import shop.data.Authors;

public final class Main {
    private final int secret = 7;

    private Main() {}

    public static void main(String[] args) {
        new Main().serve(new Authors());
    }

    private void serve(AuthorRepository repository) {
        List<String> names = List.of("ann", "bob");
        System.out.println(repository); // @serving
    }
}
