import { expect, test } from "vitest";
import { indexedFiles, renderTargets } from "../testing/indexed-files.ts";

const targets = (files: Record<string, string>, path: string) => {
  using index = indexedFiles(files);
  return renderTargets(index.db, path);
};

test("source roots, packages, static and wildcard imports, inner classes, bases, other modules of the build", () => {
  const files = {
    "app/src/main/java/com/shop/App.java": `package com.shop;
import com.shop.model.Invoice;
import com.shop.model.Invoice.Line;
import com.shop.tax.*;
import static com.shop.util.Maths.max;
import static com.shop.util.Texts.*;
import com.lib.Far;
import java.util.List;
class App extends Base {
  Invoice invoice = new Invoice();
  void run(List<Line> lines) {
    invoice.total();
    Invoice.of();
    max(1, 2);
    trim("x");
    Rate.of();
    new Helper().help();
    inherited();
    own();
    this.own();
    super.own();
    Far.away();
    List.of();
    Line.make();
    lines.forEach(Line::show);
  }
  void own() {}
}
`,
    "app/src/main/java/com/shop/Base.java":
      "package com.shop;\nclass Base { void inherited() {} void own() {} }\n",
    "app/src/main/java/com/shop/Helper.java": "package com.shop;\nclass Helper { void help() {} }\n",
    "app/src/main/java/com/shop/model/Invoice.java":
      "package com.shop.model;\npublic class Invoice { public int total() { return 1; } public static Invoice of() { return null; } public static class Line { static void make() {} void show() {} } }\n",
    "app/src/main/java/com/shop/tax/Rate.java":
      "package com.shop.tax;\npublic class Rate { public static void of() {} }\n",
    "app/src/main/java/com/shop/util/Maths.java":
      "package com.shop.util;\npublic class Maths { public static int max(int a, int b) { return a; } }\n",
    "app/src/main/java/com/shop/util/Texts.java":
      "package com.shop.util;\npublic class Texts { public static void trim(String a) {} }\n",
    "lib/src/main/java/com/lib/Far.java":
      "package com.lib;\npublic class Far { public static void away() {} }\n",
    "app/src/test/java/com/shop/AppTest.java":
      "package com.shop;\nclass AppTest { void test() { new App().run(null); Helper h = new Helper(); h.help(); } }\n",
  };
  expect(targets(files, "app/src/main/java/com/shop/App.java")).toMatchInlineSnapshot(`
    "9 Base → app/src/main/java/com/shop/Base.java Base (exact)
    10 Invoice → app/src/main/java/com/shop/model/Invoice.java Invoice (exact)
    10 Invoice → app/src/main/java/com/shop/model/Invoice.java Invoice (exact)
    11 List → -
    11 Line → app/src/main/java/com/shop/model/Invoice.java Invoice.Line (exact)
    12 invoice › total → app/src/main/java/com/shop/model/Invoice.java Invoice.total (imported)
    13 Invoice › of → app/src/main/java/com/shop/model/Invoice.java Invoice.of (imported)
    14 max → app/src/main/java/com/shop/util/Maths.java Maths.max (exact)
    15 trim → app/src/main/java/com/shop/util/Texts.java Texts.trim (imported)
    16 Rate › of → app/src/main/java/com/shop/tax/Rate.java Rate.of (imported)
    17 Helper → app/src/main/java/com/shop/Helper.java Helper (exact)
    17 new Helper() › help → app/src/main/java/com/shop/Helper.java Helper.help (imported)
    18 inherited → app/src/main/java/com/shop/Base.java Base.inherited (imported)
    19 own → app/src/main/java/com/shop/App.java App.own (exact)
    20 this › own → app/src/main/java/com/shop/App.java App.own (exact)
    21 super › own → app/src/main/java/com/shop/Base.java Base.own (imported)
    22 Far › away → lib/src/main/java/com/lib/Far.java Far.away (imported)
    23 List › of → -
    24 Line › make → app/src/main/java/com/shop/model/Invoice.java Invoice.Line.make (imported)
    25 lines › forEach → -
    25 Line › show → app/src/main/java/com/shop/model/Invoice.java Invoice.Line.show (imported)"
  `);
  expect(targets(files, "app/src/test/java/com/shop/AppTest.java")).toMatchInlineSnapshot(`
    "2 App → app/src/main/java/com/shop/App.java App (exact)
    2 new App() › run → app/src/main/java/com/shop/App.java App.run (imported)
    2 Helper → app/src/main/java/com/shop/Helper.java Helper (exact)
    2 Helper → app/src/main/java/com/shop/Helper.java Helper (exact)
    2 h › help → app/src/main/java/com/shop/Helper.java Helper.help (imported)"
  `);
});
