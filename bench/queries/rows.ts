// Tasks that have all kinds of things, by number: dates, labels, notes, lengths, tasks under them. The same for every run.
import { labelsRoot, mineId, type Id } from '#core/ids.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import { type Dataset, datasetOf } from '../datasets.ts';
import { datasetRows, newId, scope } from '../engine/subject.ts';

const DAY_MS = 86_400_000;

/** An unlike number for each number. */
function mixed(number: number, salt: number): number {
  let state = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  return (state ^ (state >>> 13)) >>> 0;
}

function dateFields(number: number, now: number): Record<string, unknown> {
  const day = (salt: number) => {
    const at = now + ((mixed(number, salt) % 200) - 60) * DAY_MS;
    return mixed(number, salt + 1) % 3 === 0
      ? { at: at - (at % 60_000), zone: 'Europe/Berlin' }
      : { on: Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC').toPlainDate().toString() };
  };
  return {
    ...(mixed(number, 1) % 100 < 40 ? { due: day(2) } : {}),
    ...(mixed(number, 4) % 100 < 12 ? { start: day(5) } : {}),
    ...(mixed(number, 7) % 100 < 15 ? { duration: 5 + (mixed(number, 8) % 20) * 5 } : {}),
  };
}

function otherFields(number: number, now: number, labels: readonly Id[]): Record<string, unknown> {
  const done = now - (mixed(number, 9) % 90) * DAY_MS;
  const state = mixed(number, 10) % 100;
  const label = labels[mixed(number, 11) % labels.length] as Id;
  return {
    ...(state < 12 ? { status: state < 6 ? { done } : { done, cleared: done } } : {}),
    ...(mixed(number, 12) % 100 < 25 ? { [`label:${label}`]: true } : {}),
    ...(mixed(number, 13) % 100 < 18 ? { notes: `See page ${number} and ask the station once more.` } : {}),
    ...(mixed(number, 14) % 100 < 3 ? { 'meta:ticket': String(number) } : {}),
  };
}

export interface Rich {
  readonly rows: readonly Row[];
  readonly dataset: Dataset;
}

/** So many tasks in a hundred lists, one in ten of them under another. */
export function richRows(tasks: number): Rich {
  const dataset = datasetOf(tasks, 100);
  const now = Date.now();
  const plain = datasetRows(dataset);
  const labels = Array.from({ length: 8 }, () => newId());
  const rows: Row[] = labels.map((id, at) => ({
    id,
    type: 'label',
    scope,
    version: 1,
    fields: { name: `Label ${at}`, place: { parent: labelsRoot(scope), key: `a${at}` } },
    stamp: [1, now, 0, at + 1],
    createdAt: now,
    updatedAt: now,
  }));
  let number = 0;
  let above: Id | null = null;
  for (const row of plain) {
    if (row.type !== 'task') {
      above = null;
      rows.push(row);
      continue;
    }
    const { place } = row.fields;
    const isUnder = above !== null && number % 10 === 9;
    const fields = {
      ...row.fields,
      ...dateFields(number, now),
      ...otherFields(number, now, labels),
      ...(isUnder ? { place: { ...place, parent: above } } : {}),
    };
    rows.push(asRow({ ...row, fields, createdAt: now - (mixed(number, 15) % 700) * DAY_MS - number }));
    if (!isUnder) above = row.id;
    if (mixed(number, 16) % 100 < 2) rows.push(snoozed(row, now + ((number % 9) - 4) * DAY_MS));
    number += 1;
  }
  return { rows, dataset };
}

function snoozed(task: Row, at: number): Row {
  const fields = { of: task.id, snooze: { at: at - (at % 60_000), zone: 'UTC' } };
  return { ...task, id: mineId(scope, task.id), type: 'mine', fields };
}
