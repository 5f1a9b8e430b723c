// SPDX-License-Identifier: Apache-2.0
package shop.data;

import java.util.Optional;

public interface AuthorRepository {
    Optional<Author> find(String name);

    default Author named(String name) {
        return find(name).orElseThrow();
    }
}
