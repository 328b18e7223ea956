// Altered copies of production code: each takes one safeguard away, so that the checks can show that they would notice.
// The copies are made while modules are loaded, by rewriting one place of the source; nothing on disk changes.
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Subject } from './subject.ts';

/** A place of the source, and what stands there instead. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const mutants = {
  'no cycle check': [
    {
      file: 'src/sync/rows/placement.ts',
      from: "if (at === subject.id) return { verdict: 'cycle' };",
      to: "if (at === subject.id) break; if (depth > 5_000) return { verdict: 'limit' };",
    },
  ],
  'no de-duplication': [
    {
      file: 'src/server/sync/push.ts',
      from: 'const seen = push.operations.filter(({ q }) => q <= device.lastSeq);',
      to: 'const seen = push.operations.slice(0, 0);',
    },
  ],
  'keys chosen without looking': [
    {
      file: 'src/sync/rows/placement.ts',
      from: 'generateKeyBetween(gap.low?.key ?? null, gap.high?.key ?? null)',
      to: 'generateKeyBetween(gap.low?.key ?? null, null)',
    },
    {
      file: 'src/server/data/order-keys.ts',
      from: 'const middle = generateKeyBetween(low?.key ?? null, high?.key ?? null);',
      to: 'const middle = generateKeyBetween(low?.key ?? null, null); if (middle) return middle;',
    },
  ],
  'no compare-and-set of occurrences': [
    {
      file: 'src/sync/rows/occurrence.ts',
      from: "if (action.occ < occ || (action.occ === occ && row.fields.status !== undefined)) return 'already';",
      to: '',
    },
  ],
  'arrival order instead of age': [
    {
      file: 'src/sync/rows/merge.ts',
      from: 'const later = writer.time > time || (writer.time === time && writer.device > device);',
      to: 'const later = true;',
    },
  ],
  'sums not compared': [
    {
      file: 'src/sync/exchange/taking-in.ts',
      from: 'unequal: unequal.map(({ scope }) => scope),',
      to: 'unequal: unequal.slice(0, 0).map(({ scope }) => scope),',
    },
  ],
  'verdicts forgotten before they are kept': [
    {
      file: 'src/server/sync/push.ts',
      from: 'const ackedSeq = Math.min(push.request.ack, state.lastSeq);',
      to: 'const ackedSeq = state.lastSeq;',
    },
  ],
  'copied storage not noticed': [
    {
      file: 'src/server/sync/stored-verdicts.ts',
      from: 'if (result === undefined || result.operation !== (operation?.u ?? device)) return null;',
      to: 'if (result === undefined) return null;',
    },
  ],
  'hung under what is in the trash': [
    {
      file: 'src/sync/rows/placement.ts',
      from: "if (fieldOf(row, 'del') !== undefined) living = null;",
      to: 'if (row.fields.del === null) living = null;',
    },
  ],
  'undone over the writes of others': [
    {
      file: 'src/sync/rows/apply.ts',
      from: 'if (action.only !== undefined && !stillHolds(row, action.field, context.device, action.only))',
      to: 'if (action.only === 0)',
    },
  ],
  'two labels of an exclusive group': [
    {
      file: 'src/sync/rows/sets.ts',
      from: 'if (group === null) return [];',
      to: 'if (group !== undefined) return [];',
    },
  ],
  'refused and not kept': [
    {
      file: 'src/sync/exchange/sync-loop.ts',
      from: 'saves.add({ rowsPut, rowsRemove, outboxRemove, recoveredAdd: refused });',
      to: 'saves.add({ rowsPut, rowsRemove, outboxRemove });',
    },
  ],
  'circles shown': [
    {
      file: 'src/sync/replica/postponed-moves.ts',
      from: 'if (parent === undefined || parent === parentOf(was)) continue;',
      to: "if (parent !== '') continue;",
    },
    // The server's half of the same promise.
    {
      file: 'src/server/sync/changes.ts',
      from: 'rows: [...(page.above ?? []), ...page.rows].map(rowToWire),',
      to: 'rows: page.rows.map(rowToWire),',
    },
  ],
  'rows of unknown types dropped': [
    {
      file: 'src/sync/replica/confirmed-rows.ts',
      from: 'else this.#opaque.set(row.id, row);',
      to: '',
    },
  ],
  'rows of unknown types left out of the sum': [
    {
      file: 'src/sync/replica/confirmed-rows.ts',
      from: 'sum.change(row.id, this.stored(row.id)?.version ?? null, row.version);',
      to: 'if (isKnown(row)) sum.change(row.id, this.stored(row.id)?.version ?? null, row.version);',
    },
  ],
  // What only shows where notes are written, cloud sync is turned off or the server goes back: lived through in mixed.ts.
  'late edits of notes dropped': [
    {
      file: 'src/sync/notes/note-merging.ts',
      from: "if (merged?.type !== 'ok') return applyLate(state, editing);",
      to: "if (merged?.type !== 'ok') { state.put({ ...row, version: editing.writer.version }); return 'ok'; }",
    },
  ],
  'made without cloud sync and kept': [
    { file: 'src/sync/exchange/engine.ts', from: 'held.withdraw(seqs);', to: 'held.withdraw(new Set());' },
    // Two that would catch it.
    { file: 'src/sync/exchange/engine.ts', from: 'this.#putLateAside(detached);', to: '' },
    {
      file: 'src/sync/exchange/sync-loop.ts',
      from: 'if (operation.off !== undefined) continue;',
      to: 'if (operation.b < 0) continue;',
    },
  ],
  'nothing brought back': [
    {
      file: 'src/sync/replica/replica.ts',
      from: 'return actions.map(({ action, scope }, index) => {',
      to: 'return actions.slice(0, 0).map(({ action, scope }, index) => {',
    },
  ],
  'no look at the history': [
    {
      file: 'src/server/sync/changes.ts',
      from: 'return cursor.version <= (ended ?? headVersion);',
      to: 'return ended !== undefined;',
    },
    {
      file: 'src/server/sync/incoming.ts',
      from: 'if (request.ack > device.lastSeq) return true;',
      to: 'if (request.ack > device.lastSeq) return false;',
    },
  ],
} satisfies Readonly<Record<string, readonly Edit[]>>;
export type MutantName = keyof typeof mutants;
/** Those that plain histories cannot show: tried in mixed.test.ts. */
export const shownByMixed: ReadonlySet<MutantName> = new Set([
  'late edits of notes dropped',
  'made without cloud sync and kept',
  'nothing brought back',
  'no look at the history',
  'refused and not kept',
]);

const ROOT = new URL('../../', import.meta.url).href;
const MARK = '?mutant=';

function isOurs(url: string): boolean {
  return url.startsWith(`${ROOT}src/`);
}

interface Alteration {
  readonly name: string;
  readonly edits: readonly Edit[];
}

function rewritten(url: string, { name, edits }: Alteration): string {
  const plain = url.slice(0, url.indexOf(MARK));
  let source = readFileSync(new URL(plain), 'utf8');
  for (const edit of edits) {
    if (plain !== `${ROOT}${edit.file}`) continue;
    // However the lines are broken.
    const words = edit.from
      .split(/\s+/)
      .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    const pattern = new RegExp(words.join(String.raw`\s+`), 'g');
    assert.equal(source.match(pattern)?.length, 1, `${edit.file} has the line that ${name} changes, once`);
    source = source.replace(pattern, () => edit.to);
  }
  return source;
}

/** Loads modules of the production code once more, altered; and what they load later, too: the hooks stay. */
export function altered(alteration: Alteration): (path: string) => Promise<unknown> {
  const mark = MARK + encodeURIComponent(alteration.name);
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isInside = context.parentURL?.includes(mark) === true || specifier.includes(mark);
      return isInside && isOurs(resolved.url) && !resolved.url.includes(mark)
        ? { ...resolved, url: resolved.url + mark }
        : resolved;
    },
    load(url, context, next) {
      if (!url.endsWith(mark)) return next(url, context);
      return { format: 'module-typescript', shortCircuit: true, source: rewritten(url, alteration) };
    },
  });
  return (path) => import(`${ROOT}${path}${mark}`);
}

/** Loads the production code once more, altered. */
export async function loadMutant(name: MutantName): Promise<Subject> {
  const load = altered({ name, edits: mutants[name] });
  const { createEngine } = (await load('src/sync/exchange/engine.ts')) as Pick<Subject, 'createEngine'>;
  const { createExchange } = (await load('src/server/sync/exchange.ts')) as Pick<Subject, 'createExchange'>;
  await load('src/sync/exchange/sync-loop.ts');
  return { createEngine, createExchange };
}
