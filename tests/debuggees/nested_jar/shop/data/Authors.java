// SPDX-License-Identifier: Apache-2.0
package shop.data;

import java.util.Optional;

public final class Authors implements AuthorRepository {
    @Override
    public Optional<Author> find(String name) {
        return Optional.of(new Author(name));
    }
}
