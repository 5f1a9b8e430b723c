// SPDX-License-Identifier: Apache-2.0
package real;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A controller whose arguments are found by the names of its parameters. */
@RestController
public class Owners {
    private final Map<Integer, String> names = new TreeMap<>(Map.of(1, "Davis", 2, "Franklin", 3, "Davies"));

    @GetMapping(path = "/owners", produces = "text/plain")
    public String find(@RequestParam(defaultValue = "1") int page, @RequestParam String lastName) {
        StringBuilder text = new StringBuilder("page " + page);
        names.forEach((id, name) -> {
            if (name.startsWith(lastName)) {
                text.append(' ').append(id).append('=').append(name);
            }
        });
        return text.toString();
    }

    @GetMapping(path = "/owners/{ownerId}", produces = "text/plain")
    public String show(@PathVariable int ownerId) {
        String name = names.get(ownerId);
        if (name == null) {
            throw new IllegalArgumentException("no owner " + ownerId);
        }
        return name;
    }

    @ExceptionHandler(IllegalArgumentException.class)
    public ResponseEntity<String> refuse(IllegalArgumentException error) {
        return ResponseEntity.badRequest().body(error.getMessage());
    }
}
