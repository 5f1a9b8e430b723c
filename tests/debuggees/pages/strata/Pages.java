// SPDX-License-Identifier: Apache-2.0
package strata;

import java.util.function.IntUnaryOperator;

/** Runs a page of a web application: its source map has the path inside of that, the argument. */
public class Pages {
    static final String SOURCE_MAP = String.join("\n",
            "SMAP", "page_jsp.java", "JSP", "*S JSP", "*F", "+ 0 page.jsp", "PATH", "*L", "1,6:8", "*E", "");

    public static void main(String[] args) throws Exception {
        IntUnaryOperator page = Strata.load(SOURCE_MAP.replace("PATH", args[0]));
        System.out.println(page.applyAsInt(1));
    }
}
