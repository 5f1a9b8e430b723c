// SPDX-License-Identifier: Apache-2.0
import com.google.gson.Gson;
import eyes.Eyes;
import java.util.List;

/** Reads a small document into objects. */
public final class Parse {
    static final class Item {
        String name;
        int cents;
    }

    static final class Basket {
        String owner;
        List<Item> items;
    }

    private Parse() {}

    public static void main(String[] args) throws Exception {
        String json = "{\"owner\": \"Ada\", \"items\": [{\"name\": \"tea\", \"cents\": 450}]}";
        Gson gson = new Gson();
        Eyes.open(args);
        Basket basket = gson.fromJson(json, Basket.class); // @parse
        System.out.println(basket.owner + " " + basket.items.get(0).name); // @parsed
        Eyes.close(args);
    }
}
