// What tests of keys about time share: a task by its title, what is offered, and a question that is answered in words.
import assert from 'node:assert/strict';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Desk } from './desk.ts';

/** A moment in UTC: "2026-11-27T09:00". */
export const at = (wall: string): number => Temporal.Instant.from(`${wall}:00Z`).epochMilliseconds;

/** The task of that title, which has to be there. */
export function task(desk: Desk, title = 'Plan'): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

/** What stands beside what is offered. */
export const hints = (desk: Desk): readonly string[] =>
  (desk.app.view.palette.get()?.items ?? []).map(({ hint }) => hint);

/** Presses the key, says the words, accepts. */
export function say(desk: Desk, key: string, words: string): void {
  desk.press(key);
  desk.type(words);
  desk.press('Enter');
}
