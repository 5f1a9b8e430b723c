// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";

import { testAt } from "../src/testing/explorer";
import { type Result, Results } from "../src/testing/results";
import { configuration, groups } from "../src/testing/runs";
import { moduleOf, sourceRoot, TestTree } from "../src/testing/tree";
import { declaredIn, stubDeclared } from "./declared";
import * as stub from "./vscode";

const CART = `package shop;
class CartTest {
  @Test void adds() {}
  @ParameterizedTest void prices(int cents) {}
  @Nested class WhenEmpty {
    @Test void hasNoItems() {}
  }
}`;
const FILE = "/w/core/src/test/java/shop/CartTest.java";

let controller: stub.TestController;
let tree: TestTree;

function read(file: string, text: string): void {
  tree.update(stub.Uri.file(file) as vscode.Uri, declaredIn(text).tests);
}

/** The labels, indented. */
function shown(items: Iterable<[string, stub.TestItem]> = controller.items, indent = ""): string[] {
  return [...items].flatMap(([, each]) => [indent + each.label, ...shown(each.children, `${indent}  `)]);
}

function item(method?: string, className = "shop.CartTest", file = FILE): vscode.TestItem {
  const found = tree.find(file, className, method);
  if (found === undefined) {
    throw new Error(`no ${className}#${method ?? ""}`);
  }
  return found;
}

function request(include: vscode.TestItem[] | undefined, exclude: vscode.TestItem[] = []): vscode.TestRunRequest {
  return { include, exclude } as unknown as vscode.TestRunRequest;
}

function chosen(asked: vscode.TestRunRequest): Record<string, string[]> {
  const found = groups(asked, controller as unknown as vscode.TestController, tree);
  return Object.fromEntries(found.map(({ root, selectors }) => [root.label, [...selectors]]));
}

beforeEach(() => {
  vi.resetAllMocks();
  controller = new stub.TestController();
  tree = new TestTree(controller as unknown as vscode.TestController);
  stub.workspace.getWorkspaceFolder.mockReturnValue({ name: "w", uri: { fsPath: "/w" } });
  read(FILE, CART);
});

test("finds tests by what runs them", () => {
  const found = tree.bySelectors(["shop.CartTest#adds", "shop.CartTest#prices[2]", "shop.CartTest#adds", "gone.Test#x"]);
  expect(found.map((each) => each.label)).toEqual(["adds", "prices"]);
});

test("the tree follows the text of the sources", () => {
  expect(shown()).toEqual(["core", "  shop", "    CartTest", "      adds", "      prices", "      WhenEmpty", "        hasNoItems"]);
  read(FILE, CART.replace("@Test void adds() {}", "@Test void removes() {}").replace("class WhenEmpty", "class Empty"));
  expect(shown()).toEqual(["core", "  shop", "    CartTest", "      prices", "      removes", "      Empty", "        hasNoItems"]);
  read("/w/app/src/Other.java", "class Other { @Test void runs() {} }");
  read(FILE, "");
  expect(shown()).toEqual(["app", "  (default package)", "    Other", "      runs"]);
});

test("a folder of sources, and the module that has it", () => {
  expect(sourceRoot(FILE, "shop.CartTest")).toBe("/w/core/src/test/java");
  expect(sourceRoot("/w/misplaced/A.java", "shop.A")).toBe("/w/misplaced");
  expect(sourceRoot("/w/core/src/test/kotlin/cart/A.kt", "com.shop.cart.A")).toBe("/w/core/src/test/kotlin");
  const found = ["core/src/test/java", "src/integrationTest/kotlin", "src", "test", "a/b", "srcs"].map(moduleOf);
  expect(found).toEqual(["core", "", "", "", "a/b", "srcs"]);
});

test("a class is run with those inside it; what is excluded splits it", () => {
  read("/w/app/src/test/java/Other.java", "class Other { @Test void runs() {} }");
  const whole = ["shop.CartTest", "shop.CartTest$WhenEmpty"];
  expect(chosen(request(undefined))).toEqual({ core: whole, app: ["Other"] });
  expect(chosen(request([item()]))).toEqual({ core: whole });
  expect(chosen(request([item()], [item("adds")]))).toEqual({
    core: ["shop.CartTest#prices", "shop.CartTest$WhenEmpty"],
  });
  expect(chosen(request([item("adds"), item("hasNoItems", "shop.CartTest$WhenEmpty")]))).toEqual({
    core: ["shop.CartTest#adds", "shop.CartTest$WhenEmpty#hasNoItems"],
  });
  expect(chosen(request([item("adds")], [item("adds")]))).toEqual({});
});

const run = {
  enqueued: vi.fn(),
  started: vi.fn(),
  passed: vi.fn(),
  failed: vi.fn(),
  skipped: vi.fn(),
  errored: vi.fn(),
  appendOutput: vi.fn(),
};

function results(...wanted: vscode.TestItem[]): { take: (...bodies: Result[]) => void; all: Results } {
  const all = new Results(tree, run as unknown as vscode.TestRun, tree.rootOf(item()), wanted);
  const take = (...bodies: Result[]): void => {
    for (const body of bodies) {
      all.received({ type: "event", event: "jvmdebug/testResult", body });
    }
  };
  return { take, all };
}

const inClass = { className: "shop.CartTest", path: FILE };
const ofPrices = { ...inClass, methodName: "prices" };
const second = { id: "3", parentId: "2", kind: "call" as const, ...ofPrices, call: 2, name: "[2] 7", selector: "shop.CartTest#prices[2]" };

test("calls are children of their method, and one that failed is run again by itself", () => {
  const { take, all } = results(item("prices"));
  const failure = { type: "org.opentest4j.AssertionFailedError", message: "no", trace: "t\n", expected: "1", actual: "2", path: FILE, line: 4 };
  take(
    { event: "begin" },
    { event: "started", id: "1", kind: "class", ...inClass },
    { event: "started", id: "2", parentId: "1", kind: "calls", name: "prices(int)", ...ofPrices },
    { event: "started", ...second },
    { event: "finished", ...second, status: "failed", durationMs: 3, failure },
    { event: "finished", id: "2", parentId: "1", kind: "calls", ...ofPrices, status: "failed", durationMs: 5 },
    { event: "end" },
  );
  const prices = item("prices");
  expect([...prices.children].map(([, each]) => each.label)).toEqual(["[2] 7"]);
  const call = prices.children.get("[2]");
  expect(run.failed.mock.calls.map(([each]) => each as unknown)).toEqual([call]);
  expect(run.passed).not.toHaveBeenCalledWith(prices, expect.anything()); // its state is that of its calls
  const message = run.failed.mock.calls[0]?.[1] as stub.TestMessage;
  expect(message).toMatchObject({ message: "AssertionFailedError: no", expectedOutput: "1", actualOutput: "2" });
  expect(message.location).toEqual(new stub.Location({ fsPath: FILE }, new stub.Position(3, 0)));
  all.received({ type: "event", event: "output", body: { category: "stderr", output: "failed  prices\n" } });
  expect(run.appendOutput).toHaveBeenCalledWith("failed  prices\r\nt\r\n");
  expect(chosen(request(call === undefined ? [] : [call as unknown as vscode.TestItem]))).toEqual({ core: ["shop.CartTest#prices[2]"] });
});

test("tests with the same method and number are items of their own, and run by themselves", () => {
  const { take } = results(item("prices"));
  const leaf = (side: number): Result => {
    const id = `[engine:junit-jupiter]/[class:shop.CartTest]/[test-factory:prices()]/[dynamic-container:#${String(side)}]/[dynamic-test:#2]`;
    return { event: "started", id, parentId: `side ${String(side)}`, kind: "call", ...ofPrices, call: 2, name: "two", selector: id };
  };
  const side = (number: number): Result => {
    const id = `side ${String(number)}`;
    return { event: "started", id, parentId: "2", kind: "calls", ...ofPrices, name: id, selector: id };
  };
  take(
    { event: "started", id: "1", kind: "class", ...inClass },
    { event: "started", id: "2", parentId: "1", kind: "calls", name: "prices()", ...ofPrices, selector: "2" },
    side(1),
    leaf(1),
    side(2),
    leaf(2),
  );
  expect(shown(item("prices").children as never)).toEqual(["side 1", "  two", "side 2", "  two"]);
  const [, [, right] = []] = [...item("prices").children];
  const [[, two] = []] = [...(right?.children ?? [])];
  expect(chosen(request(two === undefined ? [] : [two]))).toEqual({ core: [leaf(2).selector] });
});

test("an inherited test appears when it is run", () => {
  const { take } = results(item());
  const inherited = { id: "2", kind: "method" as const, ...inClass, methodName: "inherited", line: 9 };
  take({ event: "started", ...inherited }, { event: "finished", ...inherited, status: "passed", durationMs: 1 });
  expect(run.passed).toHaveBeenCalledWith(item("inherited"), 1);
});

test("a program that ends in a test, and one that does not start", () => {
  const { take, all } = results(item("adds"));
  take({ event: "begin" }, { event: "started", id: "2", kind: "method", ...inClass, methodName: "adds" });
  all.finish(true);
  expect(run.errored).toHaveBeenLastCalledWith(item("adds"), expect.objectContaining({ message: expect.stringContaining("ended before") as string }));
  const { all: other } = results(item("adds"));
  const error = { format: "the project does not compile {why}", variables: { why: "now" } };
  other.received({ type: "response", command: "launch", success: false, body: { error } });
  other.finish(false);
  expect(run.errored).toHaveBeenLastCalledWith(item("adds"), expect.objectContaining({ message: "the project does not compile now" }));
  const problems = [{ path: FILE, line: 3, column: 1, message: "cannot find symbol", isError: true }];
  other.received({ type: "event", event: "jvmdebug/problems", body: { problems } });
  other.finish(false);
  const location = new stub.Location({ fsPath: FILE }, new stub.Position(2, 0));
  expect(run.errored).toHaveBeenLastCalledWith(item("adds"), expect.objectContaining({ message: "does not compile: cannot find symbol", location }));
});

test("the attributes that the user sets for tests, and ours", () => {
  const set = { vmArgs: "-Xmx1g", console: "integratedTerminal", request: "attach" };
  stub.workspace.getConfiguration.mockReturnValue({ get: () => set });
  expect(configuration(undefined, "/w/core", ["shop.A", "shop.B"], "7")).toEqual({
    type: "jvmdebug",
    request: "launch",
    name: "2 classes of tests",
    project: "/w/core",
    test: ["shop.A", "shop.B"],
    vmArgs: "-Xmx1g",
    console: "integratedTerminal",
    internalConsoleOptions: "neverOpen",
    __testRun: "7",
  });
});

test("the test at the cursor", async () => {
  stubDeclared();
  const document = { uri: { fsPath: FILE }, getText: () => CART } as unknown as vscode.TextDocument;
  const at = async (line: number): Promise<string> => {
    const { className = "", method = "" } = (await testAt(document, line)) ?? {};
    return `${className}#${method}`;
  };
  const found = await Promise.all([0, 1, 2, 3, 4, 5, 7].map(at));
  const [cart, nested] = ["shop.CartTest", "shop.CartTest$WhenEmpty"];
  expect(found).toEqual([
    `${cart}#`, `${cart}#`, `${cart}#adds`, `${cart}#prices`, `${nested}#`, `${nested}#hasNoItems`, `${nested}#hasNoItems`,
  ]);
});
