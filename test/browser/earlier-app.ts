// The app as an earlier build had it, for pages beside those of today: the built files of today with the constants of before.
// Old bundles are in no clone; what they would do differently otherwise is not in these pages.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { fixedRegisters, type EntityType } from '#core/model.ts';
import { protocolVersion } from '#wire/version.ts';
import { copyOfApp } from './harness.ts';

export interface Earlier {
  readonly protocol: number;
  /** Types of rows that it did not know. */
  readonly without: readonly EntityType[];
}

/** Replaces a text that is in the scripts once. */
async function replaced(folder: string, from: string, to: string): Promise<void> {
  const found: string[] = [];
  const assets = join(folder, 'assets');
  for (const file of await readdir(assets)) {
    if (extname(file) !== '.js') continue;
    const text = await readFile(join(assets, file), 'utf8');
    const times = text.split(from).length - 1;
    for (let time = 0; time < times; time += 1) found.push(file);
    if (times > 0) await writeFile(join(assets, file), text.replace(from, to));
  }
  assert.equal(found.length, 1, `the scripts have ${from} once, not in ${found.join(', ') || 'none'}`);
}

/** A copy of the built app with what an earlier build had in its place. */
export async function earlierApp(t: TestContext, { protocol, without }: Earlier): Promise<string> {
  const folder = await copyOfApp(t);
  if (protocol !== protocolVersion) await replaced(folder, `schema:${protocolVersion}`, `schema:${protocol}`);
  // By this table the program tells which types it knows (core/model.ts).
  const table = (nameOf: (type: EntityType) => string): string =>
    (Object.keys(fixedRegisters) as EntityType[])
      .map((type) => `${nameOf(type)}:[${fixedRegisters[type].map((name) => `\`${name}\``).join()}]`)
      .join();
  const isKnown = (type: EntityType): boolean => !without.includes(type);
  await replaced(
    folder,
    table((type) => type),
    table((type) => (isKnown(type) ? type : `${type}_of_tomorrow`)),
  );
  return folder;
}

/** The pages of this browser get the scripts of that app, whatever the server has, until the answer is called. */
export async function givesApp(context: BrowserContext, folder: string): Promise<() => Promise<void>> {
  // The document stays the server's: it names the same files, and what a test puts in its place may open no socket.
  const scripts = /\/app\/assets\/[^/]+\.js$/;
  await context.route(scripts, (route) =>
    route.fulfill({ path: join(folder, 'assets', basename(new URL(route.request().url()).pathname)) }),
  );
  return () => context.unroute(scripts);
}
