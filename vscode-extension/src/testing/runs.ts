// SPDX-License-Identifier: Apache-2.0
// Runs and debugs what is chosen in the Test Explorer, by a lens or by F5. A program runs the tests
// of one folder of sources, so there is a debug session for each folder, one after the other.

import * as vscode from "vscode";

import type { LineTests } from "./coverage";
import { type Message, Results } from "./results";
import type { Node, TestTree } from "./tree";

/** The attribute of a configuration with the number of the run that gets its results. */
export const RUN = "__testRun";
const MOST_NAMED = 3;
const WITHOUT_DEBUGGING = {
  noDebug: true,
  suppressDebugToolbar: true,
  suppressDebugStatusbar: true,
  suppressDebugView: true,
};

/** Tests of one folder of sources. */
export interface Group {
  readonly root: vscode.TestItem;
  /** The values of the launch attribute `test`. */
  readonly selectors: Set<string>;
  /** The known methods and calls among them. */
  readonly wanted: Set<vscode.TestItem>;
}

/** How tests are run. */
export interface Way {
  readonly isDebugging?: boolean;
  /** More attributes of the launch: `coverage`, `recording`. */
  readonly attributes?: Record<string, unknown>;
}

interface Running {
  readonly results: Results;
  readonly ended: () => void;
  session?: vscode.DebugSession;
}

export class TestRuns implements vscode.DebugAdapterTrackerFactory, vscode.Disposable {
  private readonly running = new Map<string, Running>();
  private readonly subscription: vscode.Disposable;
  private count = 0;

  constructor(
    private readonly controller: vscode.TestController,
    private readonly tree: TestTree,
    private readonly lineTests: LineTests,
  ) {
    this.subscription = vscode.debug.onDidTerminateDebugSession((session) => {
      this.running.get(runOf(session))?.ended();
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    const running = this.running.get(runOf(session));
    if (running === undefined) {
      return undefined;
    }
    running.session = session;
    return {
      onDidSendMessage: (message: Message) => {
        running.results.received(message);
      },
    };
  }

  /** Runs what a request names, until it has ended. Returns whether some test has failed. */
  async start(
    request: vscode.TestRunRequest,
    way: Way,
    token: vscode.CancellationToken,
  ): Promise<boolean> {
    let hasFailed = false;
    await this.eachGroup(request, token, async (run, group) => {
      hasFailed = (await this.startGroup(run, group, way, token)).hasFailed || hasFailed;
    });
    return hasFailed;
  }

  /** Runs the groups of a request one after the other, in one run of the Test Explorer. */
  async eachGroup(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    start: (run: vscode.TestRun, group: Group) => Promise<void>,
  ): Promise<void> {
    const names = request.include?.map((each) => each.label) ?? [];
    const name = names.length > MOST_NAMED ? `${String(names.length)} tests` : names.join(", ");
    const run = this.controller.createTestRun(request, name === "" ? "All tests" : name);
    try {
      for (const group of groups(request, this.controller, this.tree)) {
        if (!token.isCancellationRequested) {
          await start(run, group);
        }
      }
    } finally {
      run.end();
    }
  }

  /** Runs the tests of one folder of sources to the end of their program. */
  async startGroup(
    run: vscode.TestRun,
    { root, selectors, wanted }: Group,
    { isDebugging = false, attributes = {} }: Way,
    token: vscode.CancellationToken,
  ): Promise<Results> {
    const id = String(++this.count);
    const results = new Results(this.tree, run, root, [...wanted], this.lineTests);
    for (const each of wanted) {
      run.enqueued(each);
    }
    const ended = new Promise<void>((resolve) => {
      this.running.set(id, { results, ended: resolve });
    });
    const cancelling = token.onCancellationRequested(() => {
      const session = this.running.get(id)?.session;
      if (session !== undefined) {
        void vscode.debug.stopDebugging(session);
      }
    });
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(root.id));
    try {
      const hasStarted = await vscode.debug.startDebugging(
        folder,
        { ...configuration(folder, root.id, [...selectors], id), ...attributes },
        isDebugging ? {} : WITHOUT_DEBUGGING,
      );
      if (hasStarted) {
        await ended;
      }
      results.finish(hasStarted);
      return results;
    } finally {
      cancelling.dispose();
      this.running.delete(id);
    }
  }
}

function runOf(session: vscode.DebugSession): string {
  const id: unknown = session.configuration[RUN];
  return typeof id === "string" ? id : "";
}

/**
 * Makes the debug configuration for tests below a folder of sources, with the user's settings for
 * all tests.
 */
export function configuration(
  folder: vscode.WorkspaceFolder | undefined,
  project: string,
  test: readonly string[],
  run: string,
): vscode.DebugConfiguration {
  const settings = vscode.workspace.getConfiguration("jvmdebug", folder);
  const [only = "tests"] = test;
  return {
    console: "internalConsole", // the Test Results view shows the output
    internalConsoleOptions: "neverOpen",
    ...settings.get<Record<string, unknown>>("testConfiguration", {}),
    type: "jvmdebug",
    request: "launch",
    name: test.length === 1 ? only : `${String(test.length)} classes of tests`,
    project,
    test,
    [RUN]: run,
  };
}

/** Groups the tests of a request by their folder of sources. */
export function groups(
  request: vscode.TestRunRequest,
  controller: vscode.TestController,
  tree: TestTree,
): Group[] {
  const found = new Map<vscode.TestItem, Group>();
  const excluded = new Set(request.exclude ?? []);
  const visit = (item: vscode.TestItem): void => {
    const node = tree.nodeOf(item);
    if (node === undefined || excluded.has(item)) {
      return;
    }
    const selector = selectorOf(node);
    const isWhole = selector !== undefined && !hasAny(item, excluded);
    const root = tree.rootOf(item);
    const group = found.get(root) ?? { root, selectors: new Set(), wanted: new Set() };
    found.set(root, group);
    if (isWhole) {
      group.selectors.add(selector);
    }
    if (isWhole && (node.kind === "method" || node.kind === "call")) {
      group.wanted.add(item);
    }
    for (const [, child] of item.children) {
      const below = tree.nodeOf(child)?.kind;
      if (!isWhole || below === "class") {
        visit(child);
      } else if (below === "method") {
        group.wanted.add(child);
      }
    }
  };
  (request.include ?? [...controller.items].map(([, item]) => item)).forEach(visit);
  return [...found.values()].filter((each) => each.selectors.size > 0);
}

function selectorOf(node: Node): string | undefined {
  switch (node.kind) {
    case "class":
      return node.className;
    case "method":
      return `${node.className}#${node.method}`;
    case "call":
      return node.selector;
    default:
      return undefined;
  }
}

function hasAny(item: vscode.TestItem, wanted: ReadonlySet<vscode.TestItem>): boolean {
  return [...item.children].some(([, child]) => wanted.has(child) || hasAny(child, wanted));
}
