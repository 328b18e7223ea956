// Reads how other programs name the states of a task: done, given up, or open. An unknown word means open, and is kept.
import type { TaskDraft } from './imported.ts';

const OPEN: ReadonlySet<string> = new Set(
  `, 0, false, no, n, open, todo, to do, to-do, incomplete, not started, notstarted, needs action,
  needsaction, needs-action, active, available, next, remaining, new, pending, offen, nicht begonnen,
  à faire, pendiente, da fare, te doen, unchecked, none, -`
    .split(',')
    .map((word) => word.trim()),
);
const DONE: ReadonlySet<string> = new Set(
  `1, true, yes, y, x, ✓, ✔, ☑, ✅, done, complete, completed, checked, finished, closed, resolved,
  100, 100%, wahr, ja, erledigt, fertig, abgeschlossen, vrai, oui, terminé, terminée, fait, hecho,
  completado, completada, fatto, completato, klaar, voltooid`
    .split(',')
    .map((word) => word.trim()),
);
const GIVEN_UP: ReadonlySet<string> = new Set(
  `cancelled, canceled, dropped, abandoned, won't do, wont do, wontdo, wont-do, abgebrochen`
    .split(',')
    .map((word) => word.trim()),
);
const CANCELLED = 'cancelled';
/** A day or a moment as the state: the task was completed then. */
const MOMENT = /^\d{4}-\d\d-\d\d|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/;
const MOST_NAMED = 5;

export interface Status extends Pick<TaskDraft, 'isDone' | 'completed'> {
  /** The label that keeps the word of the file; null for none. */
  readonly label: string | null;
}

/** Reads the states of a file and remembers the unknown ones. */
export class Statuses {
  readonly #unknown = new Set<string>();

  read({ done = '', completed = '' }: { done?: string; completed?: string }): Status {
    const said = done.trim();
    const word = said.toLowerCase().replaceAll('’', "'");
    const at = completed.trim();
    if (GIVEN_UP.has(word)) return { isDone: true, completed: at, label: CANCELLED };
    if (DONE.has(word)) return { isDone: true, completed: at, label: null };
    if (MOMENT.test(said)) return { isDone: true, completed: at === '' ? said : at, label: null };
    // Without a word, a time of completion means done.
    if (word === '' && at !== '') return { isDone: true, completed: at, label: null };
    if (OPEN.has(word)) return { isDone: false, completed: '', label: null };
    this.#unknown.add(said);
    return { isDone: false, completed: '', label: said };
  }

  get left(): readonly string[] {
    const words = [...this.#unknown];
    if (words.length === 0) return [];
    const named = words.slice(0, MOST_NAMED).map((word) => `“${word}”`);
    const more = words.length > MOST_NAMED ? ` and ${words.length - MOST_NAMED} more` : '';
    return [`Unknown status: ${named.join(', ')}${more}. Those tasks stay open, with the word as a label.`];
  }
}
