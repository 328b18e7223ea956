// A server between a device and the honest one that may do anything with what it hands on: swap, cut, invent, bring back, and lie about the
// state of the scope and its keys. It keeps all that it has ever seen, and looks at all that it is sent.
import type { Id } from '#core/ids.ts';
import { ok } from '#core/result.ts';
import type { Transport } from '#sync/replica/ports.ts';
import type { SealingServer } from '#sync/sealing/ports.ts';
import type { ScopeSealing } from '#sync/sealing/scope-state.ts';
import type { Sealing } from '#wire/sealing.ts';
import type { SyncResponse, WireRow } from '#wire/sync.ts';
import type { Office } from './sealed-device.ts';
import type { WholeOffice } from './whole-office.ts';

type Below = (below: number) => number;
type Fields = Readonly<Record<string, unknown>>;
/** Changes the registers of a row. `others`: rows that were seen before. */
type RowLie = (row: WireRow, others: readonly WireRow[], below: Below) => WireRow;

const sealedIn = (row: WireRow): string[] =>
  Object.entries(row.f).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && 'e' in value ? [name] : [],
  );

const textOf = (row: WireRow, name: string) => String((row.f[name] as { readonly e?: unknown }).e);

function changed(row: WireRow, below: Below, change: (text: string, name: string) => unknown): WireRow {
  const names = sealedIn(row);
  const name = names[below(Math.max(1, names.length))];
  return name === undefined
    ? row
    : { ...row, f: { ...row.f, [name]: change(textOf(row, name), name) } as Fields as WireRow['f'] };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const letter = (below: Below) => LETTERS[below(LETTERS.length)] ?? 'A';
const pick = <T>(of: readonly T[], below: Below): T | undefined => of[below(Math.max(1, of.length))];

/** By name, what it does to a row. */
const ROW_LIES: Readonly<Record<string, RowLie>> = {
  'one letter is another': (row, _others, below) =>
    changed(row, below, (text) => {
      const at = below(text.length);
      return { e: `${text.slice(0, at)}${letter(below)}${text.slice(at + 1)}` };
    }),
  'it is cut': (row, _others, below) =>
    changed(row, below, (text) => ({ e: text.slice(0, below(text.length)) })),
  'it is longer': (row, _others, below) =>
    changed(row, below, (text) => ({ e: `${text}${letter(below)}${letter(below)}AA` })),
  'of another row': (row, others, below) => {
    const other = pick(
      others.filter(({ id }) => id !== row.id),
      below,
    );
    return changed(row, below, (text, name) =>
      other === undefined ? { e: text } : (other.f[name] ?? { e: text }),
    );
  },
  'of another register': (row, others, below) => {
    const other = pick(others, below);
    const from = other && pick(sealedIn(other), below);
    return changed(row, below, (text) =>
      other === undefined || from === undefined ? { e: text } : other.f[from],
    );
  },
  'from before': (row, others, below) => {
    const before = pick(
      others.filter(({ id }) => id === row.id),
      below,
    );
    return changed(row, below, (text, name) => before?.f[name] ?? { e: text });
  },
  'it is plain': (row, _others, below) => changed(row, below, () => 'forged'),
  'it is something else': (row, _others, below) =>
    changed(row, below, (text) =>
      pick([{ e: 7 }, { e: '' }, {}, [text], 12, true, { e: text, x: 1 }], below),
    ),
  'of another format': (row, _others, below) =>
    changed(row, below, (text) => ({ e: `${letter(below)}${text.slice(1)}` })),
  'of another generation': (row, _others, below) =>
    changed(row, below, (text) => ({
      e: `${text.slice(0, 4)}${letter(below)}${letter(below)}${text.slice(6)}`,
    })),
  'it has another id': (row, _others, below) => ({
    ...row,
    id: `${row.id.slice(0, -4)}${String(1_000 + below(9_000))}` as Id,
  }),
};

/** By name, what it says of the state of the scope. */
const STATE_LIES: readonly (ScopeSealing | null)[] = [
  null,
  { phase: 'plain', generation: 0 },
  { phase: 'plain', generation: 1 },
  { phase: 'unsealing', generation: 1 },
  { phase: 'sealing', generation: 2 },
  { phase: 'sealed', generation: 9 },
];

/** The office of a device that is lied to. */
export class LyingOffice implements Office {
  readonly #honest: WholeOffice;
  readonly #below: Below;
  readonly #seen: WireRow[] = [];
  readonly #read: Sealing[] = [];
  /** How many lies were told, by name. */
  readonly told: Record<string, number> = {};
  /** All that the device has sent, as text. */
  readonly heard: string[] = [];
  lies = true;

  constructor(honest: WholeOffice, below: Below) {
    this.#honest = honest;
    this.#below = below;
  }

  get scope(): Id {
    return this.#honest.scope;
  }

  get account(): number {
    return this.#honest.account;
  }

  #tell(name: string): void {
    this.told[name] = (this.told[name] ?? 0) + 1;
  }

  #row(row: WireRow): WireRow {
    const others = [...this.#seen];
    this.#seen.push(row);
    if (this.#seen.length > 500) this.#seen.splice(0, 100);
    if (!this.lies || sealedIn(row).length === 0 || this.#below(3) === 0) return row;
    const names = Object.keys(ROW_LIES);
    const name = names[this.#below(names.length)] ?? '';
    const lie = ROW_LIES[name]?.(row, others, this.#below) ?? row;
    if (JSON.stringify(lie) !== JSON.stringify(row)) this.#tell(name);
    return lie;
  }

  #answer(answer: SyncResponse): SyncResponse {
    const changes = answer.changes.map((change) =>
      change.scope === this.scope ? { ...change, rows: change.rows.map((row) => this.#row(row)) } : change,
    );
    if (!this.lies || this.#below(12) > 0) return { ...answer, changes };
    this.#tell('about the state');
    const said = STATE_LIES[this.#below(STATE_LIES.length)] ?? null;
    const { sealing: _honest, ...others } = answer;
    return said === null ? { ...others, changes } : { ...others, changes, sealing: { [this.scope]: said } };
  }

  #about(sealing: Sealing): Sealing {
    this.#read.push(sealing);
    const { directory } = sealing;
    if (!this.lies || directory === null || this.#below(2) === 0) return sealing;
    this.#tell('about the directory');
    const at = this.#below(directory.body.length);
    const lies: readonly Sealing[] = [
      { ...sealing, directory: null },
      { ...sealing, directory: null, state: { phase: 'plain', generation: 0 } },
      { ...sealing, state: { phase: 'plain', generation: 1 } },
      { ...sealing, directory: { ...directory, body: directory.body.replace('"sealed"', '"plain"') } },
      { ...sealing, directory: { ...directory, body: directory.body.replace(/"n":\d+/, '"n":99999') } },
      {
        ...sealing,
        directory: { ...directory, body: `${directory.body.slice(0, at)}0${directory.body.slice(at + 1)}` },
      },
      { ...sealing, directory: { ...directory, mac: 'A'.repeat(43) } },
      { ...sealing, directory: { body: '{}', mac: directory.mac } },
      this.#read[this.#below(this.#read.length)] ?? sealing,
    ];
    return lies[this.#below(lies.length)] ?? sealing;
  }

  get routes(): SealingServer {
    const { routes } = this.#honest;
    const heard = (what: unknown) => void this.heard.push(JSON.stringify(what));
    return {
      ...routes,
      read: async () => {
        const answer = await routes.read();
        return answer.ok ? ok(this.#about(answer.value)) : answer;
      },
      step: (step) => {
        heard(step);
        return routes.step(step);
      },
      reencode: (request) => {
        heard(request);
        return routes.reencode(request);
      },
    };
  }

  transport(): Transport {
    const honest = this.#honest.transport();
    return {
      ...honest,
      sync: async (request) => {
        this.heard.push(JSON.stringify(request.ops));
        const answer = await honest.sync(request);
        return answer.ok ? ok(this.#answer(answer.value)) : answer;
      },
    };
  }
}
