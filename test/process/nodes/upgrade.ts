// Three servers behind a proxy are replaced one after another while devices write and somebody types in a browser, who must see nothing of it. Then one
// is killed and the database fails over; in the end it is looked in the database itself whether anything is missing.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launch, openApp, signUp, synced } from '../../browser/harness.ts';
import { distributionOf } from '../../../bench/statistics.ts';
import { SeededRandom } from '../../simulator/random.ts';
import { Cluster } from './cluster.ts';
import { createWire, openEngine } from './devices.ts';
import { act, judge, person, settle, shownBy, type Story } from './histories.ts';
import { NodesProxy } from './proxy.ts';
import { type SeenTask, Witness } from './witness.ts';

const SERVERS = 3;
const DEVICES = 4;
const DEVICE_PACE_MS = 100;
const KEY_MS = 25;
const BEFORE_MS = 12_000;
const AFTER_MS = 6_000;
/** As much before it as the database that takes over was told nothing. */
const BEHIND_MS = 300;
const LATE_MS = 60_000;
const DRAIN_SECONDS = 3;

/** What the report says where no answer failed. */
export const NONE_FAILED = 'none';

/** What a page notes of itself. */
interface Noted {
  /** From a key until the end of the frame that answers it. */
  keys: number[];
  /** Everything that stood in the status of synchronization, in messages, and in dialogs. */
  said: string[];
}

/** Runs in the page before the app. */
function note(): void {
  const noted: Noted = { keys: [], said: [] };
  Object.assign(globalThis, { noted });
  document.addEventListener(
    'keydown',
    (event) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => noted.keys.push(performance.now() - event.timeStamp);
        port2.postMessage(null);
      });
    },
    true,
  );
  const look = () => {
    const texts = [
      ...document.querySelectorAll('[data-ph=sync], [data-ph=message], [role=alert], dialog[open]'),
    ].map((element) => (element as HTMLElement).innerText.trim());
    for (const text of texts) if (text !== '' && noted.said.at(-1) !== text) noted.said.push(text);
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
}

/** Reads what was noted since the last time. */
const noted = (page: Page): Promise<Noted> =>
  page.evaluate(() => {
    const now = (globalThis as unknown as { noted: Noted }).noted;
    const { keys, said } = now;
    now.keys = [];
    now.said = [];
    return { keys, said };
  });

/** What the status says while all is well; anything else is news to whoever looks. */
const USUAL = /^(?:Synced|Saving|Syncing \d+ changes?)$/;
const isTrouble = (text: string) => !USUAL.test(text.split('\n')[0] ?? '');

export interface UpgradeReport {
  readonly typed: number;
  readonly acknowledged: number;
  readonly requests: number;
  /** Milliseconds from a key to its picture, 95 of 100. */
  readonly keys: Readonly<Record<'before' | 'upgrade' | 'failures', number>>;
  /** What was seen that is not usual, while servers were replaced, and while they and the database failed. */
  readonly seen: Readonly<Record<'upgrade' | 'failures', readonly string[]>>;
  /** Answers from 500 on that the proxy passed on, or made, in both times. */
  readonly failed: Readonly<Record<'upgrade' | 'failures', string>>;
}

/** Types tasks until it is told to end. */
class Typist {
  readonly titles: string[] = [];
  readonly #page: Page;
  readonly #over: Promise<void>;
  #isOver = false;

  constructor(page: Page) {
    this.#page = page;
    this.#over = this.#type();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#over;
  }

  async #type(): Promise<void> {
    const { keyboard } = this.#page;
    while (!this.#isOver) {
      const title = `Typed ${this.titles.length}.`;
      await keyboard.press('Control+Enter');
      await keyboard.type(title, { delay: KEY_MS });
      await keyboard.press('Escape');
      this.titles.push(title);
      await delay(100);
    }
  }
}

/** Devices of one account that write all the time. */
async function write(cluster: Cluster, address: string, random: SeededRandom) {
  const account = await person(cluster, 'writers');
  const story: Story = { witness: new Witness(), made: new Set(), problems: [] };
  const wires = Array.from({ length: DEVICES }, () =>
    createWire(() => [address], account, { random: random.fork() }),
  );
  const engines = await Promise.all(wires.map(({ transport }) => openEngine(account, transport)));
  await settle(engines, story);
  let isOver = false;
  const writing = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      act(random.pick(engines), random, turn, story);
      await delay(DEVICE_PACE_MS);
    }
  })();
  /** Resolves with how many operations were acknowledged, all of which are there. */
  const end = async (): Promise<number> => {
    isOver = true;
    await writing;
    await settle(engines, story);
    for (const { seen } of wires)
      for (const operation of seen.acknowledged.values()) story.witness.acknowledges(operation);
    const ends = new Map<string, readonly SeenTask[]>(
      engines.map((engine, at) => [`device ${at}`, shownBy(engine)]),
    );
    ends.set('the database', await cluster.tasks(account.scope));
    assert.deepEqual(judge(story, ends), []);
    for (const { seen } of wires) {
      assert.deepEqual(seen.problems, []);
      assert.ok(seen.rollbacks <= 1, 'a device was told to go back more often than the database failed over');
    }
    await Promise.all(engines.map((engine) => engine.close()));
    return wires.reduce((sum, { seen }) => sum + seen.acknowledged.size, 0);
  };
  return end;
}

/** What the harness of browser tests wants to end with. */
function ending() {
  const steps: (() => unknown)[] = [];
  const context = { after: (step: () => unknown) => void steps.push(step) } as unknown as TestContext;
  const end = async () => {
    for (const step of steps.toReversed()) await step();
  };
  return { context, end };
}

const p95 = ({ keys }: Noted) => distributionOf(keys).p95;

export interface UpgradeOptions {
  readonly seed: number;
  /** The program that is replaced; absent: today's. */
  readonly main?: string;
  readonly say: (line: string) => void;
}

/** Rejects where anything is missing in the end, or was there twice. What was seen is in the report. */
export async function runUpgrade({ seed, main, say }: UpgradeOptions): Promise<UpgradeReport> {
  const cluster = await Cluster.start(SERVERS, {
    drainSeconds: DRAIN_SECONDS,
    ...(main === undefined ? {} : { main }),
  });
  const proxy = new NodesProxy(() => cluster.directly);
  const browser = await launch({ hasWorkers: true, isWhole: true }).catch(async (error: unknown) => {
    await cluster.close();
    throw error;
  });
  const { context, end } = ending();
  try {
    const address = await proxy.listen();
    await cluster.follow('asynchronous');
    const expected = /503|502/;
    const { page } = await openApp(context, browser, address, { before: note, expected });
    await signUp(page, 'typist@example.org');
    await synced(page);
    const endWriting = await write(cluster, address, new SeededRandom(seed));
    assert.ok(await cluster.isFollowed(), 'the accounts are where the database fails over to');
    const failed = () => {
      const text =
        [...proxy.failures].map(([status, count]) => `${count} × ${status}`).join(', ') || NONE_FAILED;
      proxy.failures.clear();
      return text;
    };
    await noted(page);
    failed();
    const typist = new Typist(page);
    await delay(BEFORE_MS);
    const before = await noted(page);
    say('replacing the servers, one after another');
    for (let place = 0; place < SERVERS; place += 1) await cluster.replace(place);
    await cluster.settled(LATE_MS);
    await delay(AFTER_MS);
    const upgrade = { ...(await noted(page)), failed: failed() };
    say('killing one, then the database fails over');
    await cluster.kill(1);
    await delay(AFTER_MS);
    await cluster.failOver(BEHIND_MS, 'asynchronous');
    await cluster.settled(LATE_MS);
    await delay(AFTER_MS);
    await typist.end();
    await synced(page, LATE_MS);
    const failures = { ...(await noted(page)), failed: failed() };
    const acknowledged = await endWriting();
    const titles = await cluster.titles('Typed ');
    assert.deepEqual(titles.toSorted(), typist.titles.toSorted(), 'what was typed is in the database, once');
    const { requests } = proxy;
    return {
      typed: typist.titles.length,
      acknowledged,
      requests,
      keys: { before: p95(before), upgrade: p95(upgrade), failures: p95(failures) },
      seen: {
        upgrade: [...new Set(upgrade.said.filter(isTrouble))],
        failures: [...new Set(failures.said.filter(isTrouble))],
      },
      failed: { upgrade: upgrade.failed, failures: failures.failed },
    };
  } finally {
    try {
      await end();
    } finally {
      await browser.close();
    }
    await proxy.close();
    await cluster.close();
  }
}
