// What encryption costs a device: sealing all tasks of an account, opening them again, and how much larger they are on their way. The network and
// the server are not in it. Beside the wall's clock stands what this thread used of a core.
import { randomFillSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { createKeyring, createNonces, newAccountKey, newGenerationKey } from '#core/sealing/keys.ts';
import { rowFromWire, rowToWire } from '#sync/rows/codec.ts';
import { openedRow, openingIn } from '#sync/sealing/opening-rows.ts';
import { itemsOf } from '#sync/sealing/walk.ts';
import { registerChecks } from '#wire/registers.ts';
import type { WireRow } from '#wire/sync.ts';
import { datasetOf } from '../datasets.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, show, table } from '../report.ts';
import { cpuMs, datasetRows, scope } from './subject.ts';

/** As devices work: registers of a turn, and rows of a first answer. */
const TURN_REGISTERS = 64;
const PAGE_ROWS = 2_000;
const SEALED = { phase: 'sealed', generation: 1 } as const;

interface Measured {
  readonly tasks: number;
  readonly sealCpuMs: number;
  readonly longestTurnMs: number;
  readonly openCpuMs: number;
  readonly firstPageMs: number;
  /** How many times as many bytes, plain and compressed. */
  readonly ratio: number;
  readonly gzipRatio: number;
  readonly load: number;
}

const random = (bytes: Uint8Array) => void randomFillSync(bytes);
const bytesOf = (rows: readonly WireRow[]) => Buffer.from(JSON.stringify(rows));

function measure(tasks: number): Measured {
  say(`sealing: ${tasks} tasks`);
  const owner = { account: 1, scope };
  const ring = createKeyring(newAccountKey(random), owner, new Map([[1, newGenerationKey(random)]]));
  const form = { state: SEALED, sealer: { ring, nonce: createNonces(random) }, checks: registerChecks };
  const plain = datasetRows(datasetOf(tasks)).map((row) => rowToWire(row));
  const sealed: WireRow[] = [];
  let [longestTurnMs, turn, began] = [0, 0, performance.now()];
  const beforeSealing = cpuMs();
  for (const row of plain) {
    const items = itemsOf(form, row);
    const names = new Map(items.map(({ from, to }) => [from, to]));
    const f = Object.entries(row.f).map(([name, value]) => {
      const to = names.get(name);
      return to === undefined ? [name, value] : [to.name, to.value];
    });
    sealed.push({ ...row, f: Object.fromEntries(f) as WireRow['f'] });
    turn += items.length;
    if (turn < TURN_REGISTERS) continue;
    longestTurnMs = Math.max(longestTurnMs, performance.now() - began);
    [turn, began] = [0, performance.now()];
  }
  const sealCpuMs = cpuMs() - beforeSealing;
  const opening = openingIn(SEALED, { ring, owner, checks: registerChecks });
  const stored = sealed.map((row) => rowFromWire(row, scope));
  const [beforeOpening, beganOpening] = [cpuMs(), performance.now()];
  let firstPageMs = 0;
  for (const [at, row] of stored.entries()) {
    openedRow(opening, row);
    if (at + 1 === PAGE_ROWS) firstPageMs = performance.now() - beganOpening;
  }
  const openCpuMs = cpuMs() - beforeOpening;
  const [open, closed] = [bytesOf(plain), bytesOf(sealed)];
  return {
    tasks,
    sealCpuMs,
    longestTurnMs,
    openCpuMs,
    firstPageMs,
    ratio: closed.length / open.length,
    gzipRatio: gzipSync(closed).length / gzipSync(open).length,
    load: conditions().load,
  };
}

/** Core seconds in which what opens rows is compiled and 10,000 rows are opened. */
const COMPILED_S = 0.2;

export function runSealingSuite({ quick }: { readonly quick: boolean }): Gate[] {
  const measured = (quick ? [2_000, 10_000] : [10_000, 100_000]).map(measure);
  print('## Encryption, on one thread');
  print(
    table(
      [
        'tasks',
        'sealed, core s',
        'longest turn ms',
        'opened, core s',
        `first ${PAGE_ROWS} ms`,
        'bytes ×',
        'compressed ×',
        'load',
      ],
      measured.map((one) => [
        one.tasks,
        show(one.sealCpuMs / 1_000),
        show(one.longestTurnMs),
        show(one.openCpuMs / 1_000),
        show(one.firstPageMs),
        show(one.ratio),
        show(one.gzipRatio),
        show(one.load),
      ]),
    ),
  );
  return measured.flatMap(({ tasks, sealCpuMs, longestTurnMs, openCpuMs, firstPageMs, ratio }): Gate[] => {
    const gate = (name: string, reached: number, bound: number, unit: string): Gate => ({
      name: `encryption, ${tasks} tasks, ${name}`,
      reached,
      bound,
      unit,
      kind: 'at most',
    });
    const share = tasks / 100_000;
    return [
      gate('sealed in', sealCpuMs / 1_000, 300 * share, 's of a core'),
      gate('longest turn', longestTurnMs, 16, 'ms'),
      // Compiling what opens rows takes the same time, however few they are.
      gate('opened in', openCpuMs / 1_000, Math.max(share, COMPILED_S), 's of a core'),
      gate(`first ${PAGE_ROWS}`, firstPageMs, 100, 'ms'),
      gate('size on the way', ratio, 1.6, '×'),
    ];
  });
}
