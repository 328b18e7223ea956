// A whole fault run: a real server, devices in processes of their own and a program on the public API, while everything of the
// plan happens to them; then quiet, and the check of what everybody was told.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../simulator/random.ts';
import { FaultProxy } from '../fault-proxy.ts';
import { type SignedUp, PASSWORD, signUp } from '../server-child.ts';
import { type ApiAddress, ApiWriter } from './api-writer.ts';
import { check, type Evidence, type Verdict } from './check.ts';
import type { EngineRow } from './engine-child.ts';
import { EngineProcess } from './engine-process.ts';
import { type Change, LedgerWriter, readLedger } from './ledger.ts';
import { drawShift, type Fault, makePlan } from './plan.ts';
import { readEverything, type Reader } from './reading.ts';
import { ServerWorld, type StoreName } from './server-world.ts';

export interface FaultOptions {
  readonly seed: number;
  readonly store: StoreName;
  readonly engines: number;
  readonly kills: number;
  readonly restores: number;
  /** Milliseconds between two changes of one device, on average. */
  readonly paceMs: number;
  readonly onStep?: (line: string) => void;
  /** Leaves the folder with the ledgers and disks of the devices. */
  readonly keeps?: boolean;
}

export interface FaultReport extends Verdict {
  readonly faults: ReadonlyMap<Fault['type'], number>;
  readonly skipped: ReadonlyMap<Fault['type'], number>;
  readonly cuts: number;
  readonly forms: number;
  readonly rows: number;
  readonly largestLogBytes: number;
  readonly slowestStartMs: number;
  readonly ms: number;
}

/** Two intervals of checkpoints, of a thousand pages of 4 KiB each with their heads, and two more while a backup is read. */
export const MOST_LOG_BYTES = 4 * 1_000 * (4_096 + 24);
const REST_MS = 120_000;
const EMAIL = 'faults@example.com';

class FaultRun {
  readonly options: FaultOptions;
  readonly world: ServerWorld;
  readonly folder = mkdtempSync(join(tmpdir(), 'posthaste-devices-'));
  readonly random: SeededRandom;
  readonly faults = new Map<Fault['type'], number>();
  readonly skipped = new Map<Fault['type'], number>();
  readonly problems: string[] = [];
  engines: readonly EngineProcess[] = [];
  proxies: readonly FaultProxy[] = [];
  api: ApiWriter | null = null;
  private person: SignedUp | null = null;
  private token = '';

  constructor(options: FaultOptions, world: ServerWorld) {
    this.options = options;
    this.world = world;
    this.random = new SeededRandom(options.seed + 1);
  }

  async open(): Promise<void> {
    const { world, random, folder, options } = this;
    await world.start();
    const person = await signUp(world.address, EMAIL);
    this.person = person;
    this.token = await signIn(`${world.address}/api`);
    const wayOfDevices = new FaultProxy(world.port, random.fork());
    // A request to change something means it each time it arrives: this way neither doubles nor replays.
    const wayOfProgram = new FaultProxy(world.port, random.fork(), [
      'request cut',
      'answer cut',
      'answer held back',
      'left half open',
    ]);
    this.proxies = [wayOfDevices, wayOfProgram];
    for (const proxy of this.proxies) proxy.level = 0.25;
    const address = await wayOfDevices.listen();
    const { cookie, account, scope } = person;
    const setting = { address, cookie, account, scope, folder, paceMs: options.paceMs };
    this.engines = Array.from(
      { length: options.engines },
      (_, at) => new EngineProcess({ ...setting, name: `e${at}` }, (problem) => this.problems.push(problem)),
    );
    for (const engine of this.engines) await this.startEngine(engine, drawShift(random));
    const api = { url: `${await wayOfProgram.listen()}/api`, token: this.token };
    this.api = new ApiWriter(api, new LedgerWriter(join(folder, 'api.ledger')), random.fork());
    // The first one holds the account and its sessions.
    await world.backup();
  }

  async startEngine(engine: EngineProcess, shiftMs: number): Promise<void> {
    await engine.start({ seed: this.random.below(2 ** 31), shiftMs });
    engine.send({ type: 'work', works: true });
  }

  async strike(fault: Fault): Promise<void> {
    const { world, engines } = this;
    const isDisk = fault.type === 'fill disk' && !world.hasDisk;
    const isDatabase = fault.type === 'crash database' && this.options.store !== 'postgres';
    const count = isDisk || isDatabase ? this.skipped : this.faults;
    count.set(fault.type, (count.get(fault.type) ?? 0) + 1);
    if (isDisk || isDatabase) return;
    if (fault.type === 'kill engine' || fault.type === 'jump clock') {
      const engine = engines[fault.engine];
      if (engine === undefined) return;
      if (fault.type === 'jump clock') return engine.jump(fault.shiftMs);
      await engine.kill();
      // Its clock may be set anew while it does not run.
      return await this.startEngine(
        engine,
        this.random.chance(0.5) ? drawShift(this.random) : engine.shiftMs,
      );
    }
    if (fault.type === 'backup') return await world.backup();
    if (fault.type === 'fill disk') return await this.fillDisk(fault);
    await world.during(2_000, async () => {
      if (fault.type === 'kill server') await world.kill();
      else if (fault.type === 'crash database') return await world.crashDatabase();
      else await world.stop();
      if (fault.type === 'restore') await this.restore(fault.which);
      await world.start();
    });
  }

  private async fillDisk({ ms, kills }: { ms: number; kills: boolean }): Promise<void> {
    const { world } = this;
    await world.during(10_000, async () => {
      world.fillDisk();
      await delay(ms);
      if (kills) {
        await world.kill();
        await world.start();
        await delay(ms);
      }
      world.freeDisk();
    });
  }

  /** What a program wrote and no device has fetched goes with the state that is replaced: nobody could bring it back. */
  private async restore(which: number): Promise<void> {
    // Answers that are held back on the way arrive.
    await delay(500);
    const path = join(this.folder, 'api.ledger');
    const copies = await Promise.all(this.engines.map((engine) => engine.ask({ type: 'rows' }, 'rows')));
    const rows = copies.flatMap((copy) => copy?.rows ?? []);
    const entries = readLedger(path);
    const excused = new Set(entries.flatMap((entry) => (entry.k === 'excused' ? [entry.n] : [])));
    const ledger = new LedgerWriter(path);
    for (const entry of entries)
      if ('id' in entry && !excused.has(entry.n) && !rows.some((row) => holds(row, entry)))
        ledger.add({ k: 'excused', n: entry.n });
    await this.world.restore(which);
  }

  /** Everything is quiet, everybody has heard everything, and the check is made; made again while news is on its way. */
  async finish(): Promise<{ verdict: Verdict; rows: number }> {
    for (const engine of this.engines) engine.send({ type: 'work', works: false });
    for (const proxy of this.proxies) proxy.level = 0;
    const deadline = performance.now() + REST_MS;
    while (!(await this.isQuiet())) {
      if (performance.now() > deadline) return { verdict: await this.noRest(), rows: 0 };
      await delay(200);
    }
    for (;;) {
      const evidence = await this.gather();
      const verdict = check(evidence);
      const isDifferent = verdict.violations.some((violation) => /^e\d+ (?:has|does)/.test(violation));
      if (!isDifferent || performance.now() > deadline) return { verdict, rows: evidence.rows.length };
      await this.isQuiet();
      await delay(300);
    }
  }

  private async isQuiet(): Promise<boolean> {
    const states = await Promise.all(this.engines.map((engine) => engine.ask({ type: 'ask' }, 'state')));
    return states.every(
      (state) => state?.state === 'synced' && state.unsaved === 0 && state.digest === 'equal',
    );
  }

  private async noRest(): Promise<Verdict> {
    const states = await Promise.all(this.engines.map((engine) => engine.ask({ type: 'ask' }, 'state')));
    return {
      violations: [`no rest: ${JSON.stringify(states)}`],
      lostWords: [],
      kept: 0,
      open: 0,
      excused: 0,
    };
  }

  private async gather(): Promise<Evidence> {
    const { world, person } = this;
    if (person === null) throw new Error('Nobody is signed up.');
    const api: ApiAddress = { url: `${world.address}/api`, token: this.token };
    const reader: Reader = { address: world.address, cookie: person.cookie, scope: person.scope, api };
    const devices = await Promise.all(
      this.engines.map(async (engine) => {
        const copy = await engine.ask({ type: 'rows' }, 'rows');
        return { name: engine.setting.name, rows: copy?.rows ?? [], recovered: copy?.recovered ?? [] };
      }),
    );
    const names = [...this.engines.map(({ setting }) => setting.name), 'api'];
    const logs = names.map((name) => ({ name, entries: readLedger(join(this.folder, `${name}.ledger`)) }));
    const statuses = logs.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.k === 'status' ? [entry] : [])),
    );
    this.problems.push(...world.unexplained(statuses));
    return { ...(await readEverything(reader)), scope: person.scope, logs, devices };
  }

  async close(): Promise<void> {
    this.api?.abandon();
    for (const engine of this.engines) await engine.kill();
    for (const proxy of this.proxies) await proxy.close();
    await this.world.close();
    if (this.options.keeps === true) console.log(`Kept: ${this.folder}`);
    else rmSync(this.folder, { recursive: true, force: true });
  }
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/sessions/sign_in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  return ((await response.json()) as { token: string }).token;
}

/** Whether a device has what the change made. */
function holds(row: EngineRow, change: Change): boolean {
  if (row.id !== change.id) return false;
  if (change.k === 'write') return row.f['title'] === change.value;
  if (change.k === 'note') return ((row.f['notes'] as string | undefined) ?? '').includes(change.word);
  if (change.k === 'complete') return (row.f['status'] ?? null) !== null;
  if (change.k === 'delete') return (row.f['del'] ?? null) !== null;
  return true;
}

/** Rejects when the run itself cannot go on; what is wrong with the program stands in the report. */
export async function runFaults(options: FaultOptions): Promise<FaultReport> {
  const startedAt = performance.now();
  const world = await ServerWorld.open(options.store);
  const run = new FaultRun(options, world);
  try {
    await run.open();
    const writing = run.api?.work(options.paceMs);
    const plan = makePlan(options);
    for (const [at, { afterMs, fault }] of plan.entries()) {
      await delay(afterMs);
      options.onStep?.(`${at + 1} of ${plan.length}: ${JSON.stringify(fault)}`);
      await run.strike(fault);
      if (!world.runs) await world.start();
    }
    run.api?.stop();
    await writing;
    const { verdict, rows } = await run.finish();
    for (const engine of run.engines) await engine.close();
    await world.stop();
    const violations = [
      ...new Set([...verdict.violations, ...world.violations, ...run.problems, ...(run.api?.problems ?? [])]),
    ];
    if (world.largestLogBytes > MOST_LOG_BYTES)
      violations.push(`the write-ahead log grew to ${world.largestLogBytes} bytes`);
    return {
      ...verdict,
      violations,
      faults: run.faults,
      skipped: run.skipped,
      cuts: run.proxies.reduce((sum, { cuts }) => sum + cuts, 0),
      forms: run.api?.forms ?? 0,
      rows,
      largestLogBytes: world.largestLogBytes,
      slowestStartMs: world.slowestStartMs,
      ms: performance.now() - startedAt,
    };
  } finally {
    await run.close();
  }
}
