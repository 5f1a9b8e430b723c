// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Works with secrets, none of which is in its class file. */
public class Login {
    static String apiKey;
    final String user;
    private String password;
    private int pin;
    private final Map<String, String> headers = new HashMap<>();

    Login(String user, String password, int pin) {
        this.user = user;
        this.password = password;
        this.pin = pin;
    }

    static String made(String kind, int number) {
        return kind + "-" + number * 7;
    }

    boolean check(String given) {
        return given.equals(password); // @checked
    }

    String getPassword() {
        return password;
    }

    static int spread(int cvv) {
        return cvv % 10; // @spread
    }

    static char[] chars(String of) {
        char[] passphrase = new char[of.length()];
        for (int i = 0; i < passphrase.length; i++) {
            passphrase[i] = of.charAt(i);
        }
        return passphrase;
    }

    public static void main(String[] args) {
        Login login = new Login("bob", made("pass", 1043121), Integer.parseInt("73019"));
        apiKey = made("key", 1043122);
        login.headers.put("Authorization", made("basic", 1043123));
        Properties properties = new Properties();
        properties.setProperty("db.password", made("db", 1043124));
        String found = properties.getProperty("db.password");
        List<String> secrets = new ArrayList<>();
        secrets.add(made("one", 1043125));
        List<String> allSecrets = secrets;
        char[] phrase = chars(made("phrase", 1043126));
        String line = "user=" + login.user + " password=" + login.getPassword();
        String card = made("card", 1043127);
        String myIban = made("iban", 1043128);
        String open = made("open", 1043129);
        int digit = spread(open.length() * 76522803 + 9);
        try {
            throw new IllegalStateException("not " + login.getPassword());
        } catch (IllegalStateException refused) {
            System.out.println(line.length() + found.length() + phrase.length + digit + open.length()); // @end
        }
    }
}
