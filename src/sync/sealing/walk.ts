// The walk over a scope on its way to being sealed or back: every device with the key brings registers that the server names into their
// new form, and the one that finds none left asks to finish. The server keeps how far it is, so it goes on after any interruption.
import type { Id } from '#core/ids.ts';
import { isEntityType } from '#core/model.ts';
import type { Sealer } from '#core/sealing/envelope.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import { sealingLimits, type Reencode } from '#wire/sealing.ts';
import type { WireRow } from '#wire/sync.ts';
import { writeDirectory } from './directory.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { SealingServer } from './ports.ts';
import { openRegister, sealRegister, type Register, type Subject } from './registers.ts';
import type { ListWalk } from './leaving/list-walk.ts';
import { hasLists, isInForm, sealsIn, type ScopeSealing } from './scope-state.ts';

/** Registers that are sealed or opened before keys and frames have their turn: 4 ms of a desktop computer. */
const TURN_REGISTERS = 64;
const PAGE_ROWS = 200;
/** How often the scope is gone through in one run: what others write meanwhile is found the next time. */
const ROUNDS = 5;

type Item = Reencode['items'][number];

interface Ports {
  readonly keys: DeviceKeys;
  readonly server: SealingServer;
  readonly checks: Pick<RegisterChecks, 'register'>;
  readonly breathe: () => Promise<void>;
}

/** What a note was merged from is no register that people write, so no check knows it. */
const checksOf = (checks: Ports['checks']): Ports['checks'] => ({
  register: (type, name, value) => (name === 'notesDoc' ? null : checks.register(type, name, value)),
});

/** What registers are brought into a form with. */
export interface Form {
  readonly state: ScopeSealing;
  readonly sealer: Sealer;
  readonly checks: Ports['checks'];
}

/** A register in the form that the state leads to; null where this device can't bring it there. */
function inForm({ state, sealer, checks }: Form, row: WireRow, register: Register): Register | null {
  if (!isEntityType(row.type)) return null;
  const subject: Subject = { id: row.id as Id, type: row.type, fields: row.f };
  const opened = openRegister(
    { ring: sealer.ring, checks: checksOf(checks), acceptsPlain: true },
    subject,
    register,
  );
  if (!opened.ok) return null;
  if (!sealsIn(state)) return opened.value;
  const [, , device, seq] = row.fm?.[register.name] ?? row.m;
  // Numbers below zero stand for writers that are no devices.
  const writer = { device: Math.max(0, device), seq: Math.max(0, seq) };
  const sealed = sealRegister({ sealer, writer }, subject, opened.value);
  return sealed.ok ? sealed.value : null;
}

/** The registers of a row that aren't in their form yet, in it. */
export function itemsOf(form: Form, row: WireRow): readonly Item[] {
  const { type } = row;
  if (!isEntityType(type)) return [];
  return Object.entries(row.f).flatMap(([name, value]) => {
    if (value === null || isInForm(form.state, type, { name, value })) return [];
    const to = inForm(form, row, { name, value });
    if (to === null) return [];
    return [
      { id: row.id, from: name, to: { name: to.name, value: to.value }, stamp: row.fm?.[name] ?? row.m },
    ];
  });
}

/** Goes through the scope until it is finished, or something is in the way; then it begins again when it is started. */
export class Walk {
  readonly #ports: Ports;
  readonly #lists: ListWalk | null;
  #isRunning = false;
  /** Something came while it ran. */
  #isAskedAgain = false;

  /** `lists`: brings lists on their way out of the scope or back into their form. */
  constructor(ports: Ports, lists: ListWalk | null = null) {
    this.#ports = ports;
    this.#lists = lists;
  }

  /** Begins where there is something to do. Does nothing while it runs. */
  start(): void {
    const { keys } = this.#ports;
    const { phase } = keys.walked;
    this.#isAskedAgain = this.#isRunning;
    const isUnderWay = phase === 'sealing' || phase === 'unsealing';
    if (this.#isRunning || keys.ring === null || !(isUnderWay || hasLists(keys.state))) return;
    this.#isRunning = true;
    const work = isUnderWay ? this.run() : this.#lists?.run();
    void Promise.resolve(work).finally(() => {
      this.#isRunning = false;
      if (this.#isAskedAgain) this.start();
    });
  }

  /** One run. Resolves with whether the scope has reached its form. */
  async run(): Promise<boolean> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { walked: state, sealer } = this.#ports.keys;
      if (sealer === null || (state.phase !== 'sealing' && state.phase !== 'unsealing')) return true;
      const isThrough = await this.#goThrough({ state, sealer, checks: this.#ports.checks });
      if (!isThrough) return false;
      const finished = await this.#finish(state);
      if (finished !== 'again') return finished === 'done';
    }
    return false;
  }

  async #goThrough(form: Form): Promise<boolean> {
    const { server, breathe } = this.#ports;
    let after: Id | null = null;
    do {
      const page = await server.left(after, PAGE_ROWS);
      if (!page.ok) return false;
      let items: Item[] = [];
      let turn = 0;
      for (const row of page.value.rows) {
        const made = itemsOf(form, row);
        items.push(...made);
        turn += made.length;
        if (turn >= TURN_REGISTERS) {
          turn = 0;
          await breathe();
        }
        while (items.length >= sealingLimits.reencodings) {
          if (!(await this.#send(form.state, items.slice(0, sealingLimits.reencodings)))) return false;
          items = items.slice(sealingLimits.reencodings);
        }
      }
      if (items.length > 0 && !(await this.#send(form.state, items))) return false;
      after = page.value.next as Id | null;
    } while (after !== null);
    return true;
  }

  async #send(state: ScopeSealing, items: readonly Item[]): Promise<boolean> {
    return (await this.#ports.server.reencode({ state, items: [...items] })).ok;
  }

  async #finish(from: ScopeSealing): Promise<'done' | 'again' | 'stopped'> {
    const { keys, server } = this.#ports;
    const { key, directory } = keys;
    if (key === null || directory === null) return 'stopped';
    const state = {
      phase: from.phase === 'sealing' ? 'sealed' : 'plain',
      generation: from.generation,
    } as const;
    const next = writeDirectory(key, { ...directory, n: directory.n + 1, state });
    const answer = await server.step({ from, step: 'finish', directory: next });
    if (answer.ok) {
      await keys.take(answer.value);
      return 'done';
    }
    if (answer.problem.type === 'unfinished') return 'again';
    if (answer.problem.type !== 'moved') return 'stopped';
    // Another device has finished it, or only told the directory anew: the next round sees which.
    await keys.catchUp(answer.problem);
    return 'again';
  }
}
