// A task, list, folder or account as Markdown for reading elsewhere: headings, nested checkboxes, dates and labels in
// words, notes below. Leaves out the trash. Not lossless (FMT-16 says what it contains), json.ts is.
import { sayDuration } from '../dates/duration-words.ts';
import { sayRepeat } from '../dates/words.ts';
import type { Id } from '../ids.ts';
import { withNames } from '../mentions.ts';
import { readField, type RepeatRule } from '../model.ts';
import { isDayWhen, isInstantWhen, type When } from '../when.ts';
import {
  labelsOf,
  selectEntities,
  type ExportedEntity,
  type ExportSelection,
  type NamedPeople,
  type Selected,
} from './exported.ts';

const DEEPEST_HEADING = 6;

/** The selection as CommonMark with GitHub's task lists. Titles and names stay text; notes are Markdown already. */
export function exportMarkdown(
  entities: readonly ExportedEntity[],
  selection: ExportSelection,
  people: NamedPeople = new Map(),
): string {
  const selected = selectEntities(entities, selection);
  const writer = new MarkdownWriter(selected, people);
  const root = selected.entities.find((entity) => entity.id === selection.root);
  return writer.write(
    root === undefined ? selected.roots.flatMap((id) => selected.childrenOf.get(id) ?? []) : [root],
  );
}

interface Waiting {
  readonly entity: ExportedEntity;
  /** Number of lists around a list, or of tasks around a task. */
  readonly depth: number;
}

class MarkdownWriter {
  readonly #childrenOf: Selected['childrenOf'];
  readonly #labelNames: ReadonlyMap<Id, string>;
  /** The personal row of a task. */
  readonly #mine = new Map<Id, ExportedEntity>();
  readonly #lines: string[] = [];
  readonly #people: NamedPeople;

  constructor({ entities, childrenOf }: Selected, people: NamedPeople) {
    this.#people = people;
    this.#childrenOf = childrenOf;
    const labels = entities.filter((entity) => entity.type === 'label' && !isTrashed(entity));
    this.#labelNames = new Map(labels.map((label) => [label.id, textOf(label, 'name')]));
    for (const mine of entities) {
      const of = mine.type === 'mine' ? readField(mine.fields, 'of') : null;
      if (of) this.#mine.set(of, mine);
    }
  }

  write(starts: readonly ExportedEntity[]): string {
    const waiting: Waiting[] = starts.toReversed().map((entity) => ({ entity, depth: 0 }));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { entity, depth } = next;
      if (isTrashed(entity)) continue;
      if (entity.type === 'list') this.#writeList(entity, depth);
      else if (entity.type === 'task') this.#writeTask(entity, depth);
      for (const child of (this.#childrenOf.get(entity.id) ?? []).toReversed()) {
        waiting.push({ entity: child, depth: child.type === entity.type ? depth + 1 : 0 });
      }
    }
    while (this.#lines.at(-1) === '') this.#lines.pop();
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }

  #writeList(list: ExportedEntity, depth: number): void {
    this.#startBlock();
    const marks = '#'.repeat(Math.min(depth + 1, DEEPEST_HEADING));
    const archived = typeof list.fields['archivedAt'] === 'number' ? ' (archived)' : '';
    const shared = list.isShared === true ? ' (shared)' : '';
    this.#lines.push(`${marks} ${nameOf(list, 'name')}${archived}${shared}`);
    const query = textOf(list, 'query');
    if (query !== '') this.#lines.push('', `Search: ${codeSpan(query)}`);
    this.#writeNotes(list, '');
    this.#startBlock();
  }

  #writeTask(task: ExportedEntity, depth: number): void {
    const indent = '  '.repeat(depth);
    const details = this.#details(task).join(' · ');
    const box = typeof task.fields['status'] === 'object' && task.fields['status'] !== null ? '[x]' : '[ ]';
    this.#lines.push(`${indent}- ${box} ${nameOf(task, 'title')}${details === '' ? '' : ` — ${details}`}`);
    this.#writeNotes(task, `${indent}  `);
    this.#writeComments(task, `${indent}  `);
  }

  /** As quotations, oldest first, each with who wrote it and on which day in UTC. */
  #writeComments(task: ExportedEntity, indent: string): void {
    const comments = (this.#childrenOf.get(task.id) ?? [])
      .filter((child) => child.type === 'comment' && !isTrashed(child))
      .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    for (const comment of comments) {
      this.#startBlock();
      const author = this.#people.get(readField(comment.fields, 'author') ?? 0) ?? 'Somebody';
      const day = Temporal.Instant.fromEpochMilliseconds(comment.createdAt).toString().slice(0, 10);
      const text = withNames(textOf(comment, 'text'), (account) => this.#people.get(account) ?? null);
      const [first = '', ...more] = text.split(/\n+/).map((line) => escapeMarkdown(line));
      this.#lines.push(`${indent}> **${escapeMarkdown(author)}**, ${day}: ${first}`);
      // A paragraph for each line: Markdown would join them.
      for (const line of more) this.#lines.push(`${indent}>`, `${indent}> ${line}`);
      this.#lines.push('');
    }
  }

  /** Set off by empty lines, so that neither a title nor a list runs into them. */
  #writeNotes(entity: ExportedEntity, indent: string): void {
    const notes = textOf(entity, 'notes').trimEnd();
    if (notes === '') return;
    this.#lines.push('');
    for (const line of notes.split('\n')) this.#lines.push(line === '' ? '' : indent + line);
    this.#lines.push('');
  }

  #startBlock(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('');
  }

  #details(task: ExportedEntity): string[] {
    const { due, start, duration, repeat } = task.fields;
    const mine = this.#mine.get(task.id)?.fields ?? {};
    const { snooze } = mine;
    const details: string[] = [];
    if (typeof due === 'object' && due !== null) details.push(`due ${printWhen(due as When)}`);
    if (typeof start === 'object' && start !== null) details.push(`starts ${printWhen(start as When)}`);
    if (typeof repeat === 'object' && repeat !== null)
      details.push(`repeats ${sayRepeat(repeat as RepeatRule)}`);
    if (typeof snooze === 'object' && snooze !== null)
      details.push(`snoozed until ${printWhen(snooze as When)}`);
    if (typeof duration === 'number') details.push(sayDuration(duration));
    const labels = [...labelsOf(task.fields), ...labelsOf(mine)];
    const names = labels.flatMap((id) => this.#labelNames.get(id) ?? []).map(escapeMarkdown);
    if (names.length > 0) details.push(`labels: ${names.toSorted().join(', ')}`);
    const assignee = this.#people.get(readField(task.fields, 'assignee') ?? 0);
    if (assignee !== undefined) details.push(`assigned to ${escapeMarkdown(assignee)}`);
    const files = (this.#childrenOf.get(task.id) ?? []).filter(
      (child) => child.type === 'attachment' && !isTrashed(child),
    );
    if (files.length > 0) details.push(`files: ${files.map((file) => nameOf(file, 'name')).join(', ')}`);
    return details;
  }
}

function isTrashed(entity: ExportedEntity): boolean {
  return typeof entity.fields['del'] === 'object' && entity.fields['del'] !== null;
}

function textOf(entity: ExportedEntity, register: string): string {
  const value = entity.fields[register];
  return typeof value === 'string' ? value : '';
}

function nameOf(entity: ExportedEntity, register: string): string {
  const name = escapeMarkdown(textOf(entity, register));
  // The Inbox has a name only if it was given one.
  if (name === '' && entity.fields['listType'] === 'inbox') return 'Inbox';
  return name === '' ? '*Untitled*' : name;
}

/** `2026-11-27`, `2026-11-27 17:00 (Europe/Paris)`, or without a zone for a floating time. */
function printWhen(when: When): string {
  if (isDayWhen(when)) return when.on;
  if (!isInstantWhen(when)) return when.local.replace('T', ' ');
  const wall = Temporal.Instant.fromEpochMilliseconds(when.at)
    .toZonedDateTimeISO(when.zone)
    .toPlainDateTime();
  return `${wall.toString({ smallestUnit: 'minute' }).replace('T', ' ')} (${when.zone})`;
}

/**
 * Escapes one line of text so that Markdown shows it as it is, without emphasis, code, links, markup or entities. An
 * underscore inside a word means nothing and stays, so that addresses can still be copied.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\r\n]+/g, ' ')
    .trim()
    .replaceAll(/[\\`*[\]<~]/g, String.raw`\$&`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replaceAll(/&(?=#?\w+;)/g, String.raw`\&`)
    .replace(/#(?=#*$)/, String.raw`\#`);
}

/** Fenced by one backtick more than the text has in a row. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const isPadded = text.startsWith('`') || text.endsWith('`');
  return isPadded ? `${fence} ${text} ${fence}` : fence + text.replaceAll(/[\r\n]+/g, ' ') + fence;
}
