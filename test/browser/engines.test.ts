// The journey of the foundation in every engine that this machine has. Where one is missing its test does not exist.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startChromium } from './engines/chromium.ts';
import type { Engine } from './engines/engine.ts';
import { findFirefox, startFirefox } from './engines/firefox.ts';
import { misheard } from './engines/keys.ts';
import { travel } from './engines/journey.ts';
import { findWebKit, startWebKit } from './engines/webkit.ts';
import { endWith, serveApart } from './harness.ts';

/** Where pictures of the stages go, when somebody wants to look at them. */
const PICTURES = process.env['ENGINE_PICTURES'];

function show(name: string, stage: string, picture: Uint8Array): void {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, `${name}-${stage}.png`), picture);
}

/** Keys that an engine keeps for itself or names differently; docs/engines.md says what that means. */
const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {};

const engines: readonly (readonly [name: string, isThere: boolean, start: () => Promise<Engine>])[] = [
  ['Chromium', true, startChromium],
  ['Firefox', findFirefox() !== null, startFirefox],
  ['WebKitGTK', findWebKit() !== null, startWebKit],
];

describe('engines', () => {
  for (const [name, isThere, start] of engines) {
    if (!isThere) {
      console.log(`${name} is not on this machine: the journey is not made in it.`);
      continue;
    }
    test(`the journey of the foundation in ${name}`, async (t) => {
      const server = await serveApart(t);
      const engine = await start();
      endWith(t, () => engine.close(), true);
      const wrong = await misheard(engine, 'about:blank');
      assert.deepEqual(wrong, KNOWN_KEYS[name] ?? []);
      await travel(engine, server, (stage, picture) => show(name, stage, picture));
      t.diagnostic(`${engine.name} ${engine.version}`);
    });
  }
});
