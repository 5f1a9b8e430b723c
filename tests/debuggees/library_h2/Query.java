// SPDX-License-Identifier: Apache-2.0
import eyes.Eyes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;

/** A table in memory and one query on it. */
public final class Query {
    private Query() {}

    public static void main(String[] args) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:shop")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table item (name varchar primary key, cents int)");
                statement.execute("insert into item values ('tea', 450), ('cup', 1200), ('honey', 799)");
            }
            try (PreparedStatement query = connection.prepareStatement(
                    "select name, cents from item where cents > ? order by cents")) {
                query.setInt(1, 500); // @prepared
                Eyes.open(args);
                try (ResultSet rows = query.executeQuery()) { // @query
                    while (rows.next()) {
                        System.out.println(rows.getString(1) + " " + rows.getInt(2)); // @row
                    }
                }
            }
        }
        Eyes.close(args);
    }
}
