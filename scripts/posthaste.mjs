#!/usr/bin/env node
// `posthaste` on any Node from 20 on: goes on in this process where it is new enough, else starts itself with the pinned one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findNode, modules, REQUIRED_MAJOR, root } from './pinned-node.mjs';

const main = join(root, 'src/cli/main.ts');

function fail(message) {
  console.error(`posthaste: ${message}`);
  process.exit(1);
}

function hand(node) {
  const own = fileURLToPath(import.meta.url);
  const child = spawn(node, [own, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (!existsSync(join(modules, 'zod')))
  fail(`Run "npm ci" in ${root} first: its dependencies are not installed.`);
const isNewEnough = Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR;
if (isNewEnough) {
  // Two thirds of what starting costs is reading our TypeScript; where nothing can be kept, it is read again.
  module.enableCompileCache(join(modules, '.cache', 'posthaste'));
  await import(pathToFileURL(main).href);
} else {
  const { path, problem } = findNode();
  if (path) hand(path);
  else fail(problem);
}
