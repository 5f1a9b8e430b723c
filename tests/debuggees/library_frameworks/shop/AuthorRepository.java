// SPDX-License-Identifier: Apache-2.0
package shop;

import org.springframework.data.jpa.repository.JpaRepository;

public interface AuthorRepository extends JpaRepository<Author, Long> {}
