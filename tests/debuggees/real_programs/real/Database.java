// SPDX-License-Identifier: Apache-2.0
package real;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import oracle.Workload;

/** H2 runs a script, with errors in it. */
public final class Database implements Workload {
    private static final String[] SCRIPT = {
        "create table customer (id int primary key, name varchar(40), city varchar(20))",
        "create table item (id int auto_increment primary key, customer int references customer(id), cents bigint, note varchar)",
        "create index on item(cents)",
        "insert into customer select x, 'name' || x, case when mod(x, 3) = 0 then 'Rome' else 'Oslo' end from system_range(1, 200)",
        "insert into item(customer, cents, note) select 1 + mod(x * 7, 200), mod(x * 7919, 10007), repeat('n', 1 + mod(x, 9)) from system_range(1, 3000)",
        "select city, count(*), sum(cents), min(note), max(i.id) from customer c join item i on i.customer = c.id group by city order by city",
        "update item set cents = cents + 10 where mod(id, 11) = 0",
        "delete from item where cents between 100 and 300",
        "select c.name, sum(cents) s, count(distinct note) from customer c left join item i on i.customer = c.id group by c.name having sum(cents) > 80000 order by s desc, 1 limit 12",
        "insert into customer values (1, 'twice', 'Rome')",
        "select * from missing",
        "with recursive t(n, f) as (select 1, cast(1 as bigint) union all select n + 1, f * (n + 1) from t where n < 15) select * from t",
        "select name, row_number() over (partition by city order by id desc) from customer order by id limit 5",
        "merge into customer key(id) values (7, 'seven', 'Lima')",
        "select regexp_replace(name, '[0-9]', '#'), upper(city), hash('SHA-256', name) from customer where id < 9 order by id",
        "select cast('no' as int)",
        "explain select * from item where cents = 5 and note like 'n%'",
    };

    @Override
    public void round(PrintStream out) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                Statement statement = connection.createStatement()) {
            for (String each : SCRIPT) {
                try {
                    run(statement, each, out);
                } catch (SQLException error) {
                    error.printStackTrace(out);
                }
            }
        }
    }

    private static void run(Statement statement, String text, PrintStream out) throws SQLException {
        if (!statement.execute(text)) {
            out.println(statement.getUpdateCount());
            return;
        }
        try (ResultSet rows = statement.getResultSet()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int column = 1; column <= columns; ++column) {
                    out.print(rows.getString(column) + " ");
                }
                out.println();
            }
        }
    }
}
