// A parsed search query: terms joined by and, or and not, and directives about the view. It means the same in search,
// smart lists, macros, the API and the command line.
import type { ScalarName, SortField } from '../model.ts';
import type { ScalarValue } from '../task-fields.ts';

/** Dates of a task that a query can test. */
export type DateField = 'due' | 'start' | 'snoozed' | 'completed' | 'created' | 'updated' | 'block';

/** Values of `is:`. Their descriptions are in operators.ts, their tests in evaluate.ts. */
export type Trait =
  | 'complete'
  | 'incomplete'
  | 'cleared'
  | 'uncleared'
  | 'overdue'
  | 'due'
  | 'started'
  | 'future'
  | 'snoozed'
  | 'repeating'
  | 'bookmarked'
  | 'shared'
  | 'nested'
  | 'parent'
  | 'leaf'
  | 'emailed'
  | 'archived';

/** Values of `has:`. Their descriptions are in operators.ts, their tests in evaluate.ts. */
export type Possession =
  | 'due'
  | 'start'
  | 'snooze'
  | 'notes'
  | 'label'
  | ScalarName
  | 'block'
  | 'attachment'
  | 'assignee'
  | 'comment'
  | 'link'
  | 'children'
  | 'metadata';

/** Signs of a comparison. */
export type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** The days that a date must be in. They are kept as words, because "today" moves. */
export type DateTest =
  | { readonly type: 'compare'; readonly comparison: Comparison; readonly words: string }
  | { readonly type: 'range'; readonly from: string | null; readonly to: string | null }
  | { readonly type: 'none' }
  | { readonly type: 'any' };

/** One condition on a task. */
export type Term =
  | { readonly type: 'text'; readonly field: 'any' | 'title' | 'notes'; readonly text: string }
  | { readonly type: 'place'; readonly kind: 'in' | 'list' | 'folder'; readonly name: string }
  | { readonly type: 'label'; readonly name: string }
  | { readonly type: 'group'; readonly name: string }
  /** Done by somebody of this name, or by oneself (`me`). */
  | { readonly type: 'person'; readonly name: string }
  | { readonly type: 'is'; readonly trait: Trait }
  | { readonly type: 'has'; readonly what: Possession }
  | { readonly type: 'date'; readonly field: DateField; readonly test: DateTest }
  | {
      readonly type: 'scalar';
      readonly field: ScalarName;
      readonly comparison: Comparison;
      readonly value: ScalarValue;
    }
  | { readonly type: 'meta'; readonly key: string; readonly value: string | null };

/** A range of the query, UTF-16; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The condition of a query, as a tree of terms. */
export type Expression =
  /** Matches everything: an empty query. */
  | { readonly type: 'all' }
  /** Matches nothing: a query with a problem is only this. */
  | { readonly type: 'none' }
  | { readonly type: 'and'; readonly parts: readonly Expression[] }
  | { readonly type: 'or'; readonly parts: readonly Expression[] }
  | { readonly type: 'not'; readonly part: Expression }
  | { readonly type: 'term'; readonly term: Term; readonly span: Span };

/** What results can be sorted by: as lists are, and by who does them. */
export type SearchSortField = SortField | 'assignee';

/** The order of results. */
export interface SearchSort {
  readonly field: SearchSortField;
  readonly order: 'asc' | 'desc';
}

/** The part of a query that is about the view, not the tasks. */
export interface Directives {
  readonly sort: SearchSort | null;
  readonly limit: number | null;
  /** Null: as the settings say. */
  readonly nested: boolean | null;
  readonly duplicates: boolean | null;
}

/**
 * Something that was not understood. A single one makes the query find nothing: ignored, the query would find more than
 * was meant.
 */
export interface Problem extends Span {
  readonly message: string;
  /** A replacement that would be right; null when nothing is near. */
  readonly hint: string | null;
}

/** A parsed query. With problems it is valid too, and finds nothing. */
export interface Query {
  /** `none` whenever there are problems, so that every user of the query finds nothing. */
  readonly expression: Expression;
  readonly directives: Directives;
  readonly problems: readonly Problem[];
}

/** Whether the comparison holds between `a` and `b`. False for NaN. */
export function compares(a: number, comparison: Comparison, b: number): boolean {
  switch (comparison) {
    case '=':
      return a === b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}
