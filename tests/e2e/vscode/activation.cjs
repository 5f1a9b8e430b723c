// SPDX-License-Identifier: Apache-2.0
// Loads and activates the built extension as VS Code does, in a process of its own with a `vscode` that does nothing, and
// prints the milliseconds of processor time that it took, and those that Node.js took to start.
//   usage: node activation.cjs DIST_DIR

const Module = require("node:module");
const { join } = require("node:path");

/** Anything: can be called, constructed and asked for members, which are such too; iterated over it is empty. */
const anything = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : name === Symbol.iterator ? [][name].bind([]) : anything),
  set: () => true,
  apply: () => anything,
  construct: () => anything,
});
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? anything : load(name, ...rest));

const subscriptions = [];
const before = process.cpuUsage();
const { activate } = require(join(process.argv[2], "extension.js"));
const asAbsolutePath = (path) => join("/nowhere", path);
activate({ subscriptions, asAbsolutePath, workspaceState: anything, globalStorageUri: { fsPath: "/nowhere" } });
const { user, system } = process.cpuUsage(before);
const started = (before.user + before.system) / 1000;
console.log(JSON.stringify({ milliseconds: (user + system) / 1000, started, subscriptions: subscriptions.length }));
