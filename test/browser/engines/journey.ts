// The journey of the foundation, told once for every engine: from the first start without an account to a second device.
import assert from 'node:assert/strict';
import { expectEventually, PASSWORD, readOutline, type ServerProcess } from '../harness.ts';
import type { Engine, EngineWindow } from './engine.ts';

async function started(window: EngineWindow): Promise<void> {
  const isReady = () =>
    document.querySelector('[data-ph=app]') !== null && document.activeElement !== document.body;
  await expectEventually(() => window.evaluate(isReady), true);
}

const reads = (window: EngineWindow, lines: readonly string[]) =>
  expectEventually(() => window.evaluate(readOutline), lines);

const says = (window: EngineWindow, text: string) =>
  expectEventually(
    () => window.evaluate(() => document.querySelector('[data-ph=sync]')?.textContent ?? ''),
    text,
  );

async function add(window: EngineWindow, title: string): Promise<void> {
  await window.press('Control+Enter');
  await window.type(title);
  await window.press('Escape');
}

/** Runs a command by its name, as a person would. */
async function command(window: EngineWindow, name: string): Promise<void> {
  await window.press('Control+k');
  const isOpen = () => document.activeElement?.id === 'palette-input';
  await expectEventually(() => window.evaluate(isOpen), true);
  await window.type(name);
  const chosen = () => document.querySelector('[role=option][aria-selected=true]')?.textContent ?? '';
  await expectEventually(async () => (await window.evaluate(chosen)).includes(name), true);
  await window.press('Enter');
}

async function enter(window: EngineWindow, way: 'Create an account' | 'Sign in', email: string) {
  await command(window, way);
  const isAsked = () => (document.activeElement as HTMLInputElement | null)?.name === 'email';
  await expectEventually(() => window.evaluate(isAsked), true);
  await window.type(email);
  await window.press('Tab');
  await window.type(PASSWORD);
  await window.press('Enter');
  await says(window, 'Synced');
  await started(window);
}

/** Capture, nest, complete, undo, move, search: all by keys. */
async function workAlone(window: EngineWindow): Promise<void> {
  await add(window, 'Pack the tent');
  await window.press('Control+Enter');
  await window.type('Find the pegs');
  await window.press('Tab');
  await window.press('Enter');
  await window.type('Wash the cover');
  await window.press('Escape');
  await reads(window, ['- Pack the tent', '  - Find the pegs', '  - Wash the cover']);
  await window.press('Space');
  await reads(window, ['- Pack the tent', '  - Find the pegs', '  x Wash the cover']);
  await window.press('Control+z');
  await reads(window, ['- Pack the tent', '  - Find the pegs', '  - Wash the cover']);
  await window.press('Alt+ArrowUp');
  await reads(window, ['- Pack the tent', '  - Wash the cover', '  - Find the pegs']);
  await window.press('Shift+Tab');
  await reads(window, ['- Pack the tent', '  - Find the pegs', '- Wash the cover']);
  await window.press('Control+z');
  await reads(window, ['- Pack the tent', '  - Wash the cover', '  - Find the pegs']);
  await window.press('/');
  await window.type('pegs');
  await expectEventually(
    async () => (await window.evaluate(readOutline)).some((line) => line.includes('Find the pegs')),
    true,
  );
  await expectEventually(
    async () => (await window.evaluate(readOutline)).some((line) => line.includes('Wash the cover')),
    false,
  );
  await window.press('Escape');
  await window.press('Escape');
  await reads(window, ['- Pack the tent', '  - Wash the cover', '  - Find the pegs']);
}

/** All files of the app are copied first, behind what the person does and what other tests do. */
const INSTALL_MS = 45_000;

/** The worker has what it needs to open the app without a server. */
async function installed(window: EngineWindow): Promise<void> {
  const workers = async () => {
    const found = await navigator.serviceWorker.getRegistration('/app/');
    return {
      isControlled: navigator.serviceWorker.controller !== null,
      installing: found?.installing?.state,
      waiting: found?.waiting?.state,
      active: found?.active?.state,
    };
  };
  const begun = performance.now();
  for (;;) {
    const state = await window.evaluate(workers);
    if (state.isControlled) return;
    const isLate = performance.now() - begun > INSTALL_MS;
    assert.ok(
      !isLate,
      `no worker: ${JSON.stringify(state)}, problems: ${JSON.stringify(await window.problems())}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function isUpdateOffered(): boolean {
  return [...document.querySelectorAll('button')].some(({ textContent }) =>
    textContent.includes('New version'),
  );
}

/** `show` is given a picture of each stage. */
export async function travel(
  engine: Engine,
  server: ServerProcess,
  show: (stage: string, picture: Uint8Array) => void = () => undefined,
): Promise<void> {
  const app = `${server.url}/app/`;
  const first = await engine.open();
  await first.goto(app);
  await started(first);
  assert.ok(await first.evaluate(() => 'Temporal' in globalThis), 'dates can be reckoned with');
  await says(first, 'Only on this device');
  await workAlone(first);
  show('alone', await first.screenshot());
  await first.reload();
  await started(first);
  const packed = ['- Pack the tent', '  - Wash the cover', '  - Find the pegs'];
  await reads(first, packed);

  await enter(first, 'Create an account', 'traveller@example.org');
  await reads(first, packed);
  const second = await engine.open();
  await second.goto(app);
  await started(second);
  await enter(second, 'Sign in', 'traveller@example.org');
  await reads(second, packed);
  await first.press('End');
  await add(first, 'Told at once');
  await reads(second, [...packed, '  - Told at once']);

  await installed(first);
  await server.kill();
  await add(first, 'By candlelight');
  await says(first, 'Offline · 2 changes waiting');
  await first.reload();
  await started(first);
  const dark = [...packed, '  - Told at once', '  - By candlelight'];
  await reads(first, dark);
  show('offline', await first.screenshot());
  await second.press('Home');
  await second.press('Space');
  await server.start();
  for (const device of [first, second]) {
    await device.evaluate(() => void window.dispatchEvent(new Event('online')));
    await says(device, 'Synced');
  }
  for (const device of [first, second])
    await expectEventually(async () => (await device.evaluate(readOutline)).length, dark.length);
  await reads(first, ['x Pack the tent', ...dark.slice(1)]);
  await reads(second, ['x Pack the tent', ...dark.slice(1)]);
  show('second', await second.screenshot());
  for (const device of [first, second]) {
    assert.deepEqual(await device.problems(), [], 'the page reported errors');
    assert.equal(await device.evaluate(isUpdateOffered), false, 'there is no new version');
  }
}
