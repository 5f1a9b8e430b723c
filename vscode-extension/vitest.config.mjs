// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The `vscode` module exists only inside VS Code: tests get a small stand-in.
  resolve: { alias: { vscode: fileURLToPath(new URL("./test/vscode.ts", import.meta.url)) } },
  test: { include: ["test/**/*.test.ts"] },
});
