// SPDX-License-Identifier: Apache-2.0
package shop;

import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

@Entity
public class Author {
    @Id
    @GeneratedValue
    Long id;

    String name;

    @OneToMany(cascade = CascadeType.ALL)
    List<Book> books = new ArrayList<>();

    @ElementCollection
    Set<String> tags = new HashSet<>();

    @ElementCollection
    Map<String, String> links = new HashMap<>();

    @ManyToOne(fetch = FetchType.LAZY)
    Author mentor;

    public String getName() {
        return name;
    }
}
