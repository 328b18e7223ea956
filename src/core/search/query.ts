// What a search query is once it is read: terms joined by and, or and not, and directives about the view.
// One meaning for search, smart lists, macros, the API and the command line.

export type DateField = 'due' | 'start' | 'snoozed' | 'completed' | 'created' | 'updated';

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

export type Possession =
  | 'due'
  | 'start'
  | 'snooze'
  | 'notes'
  | 'label'
  | 'duration'
  | 'attachment'
  | 'link'
  | 'children'
  | 'metadata';

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** Days a date must lie in, as said; words stay words, because "today" moves. */
export type DateTest =
  | { readonly type: 'compare'; readonly comparison: Comparison; readonly words: string }
  | { readonly type: 'range'; readonly from: string | null; readonly to: string | null }
  | { readonly type: 'none' }
  | { readonly type: 'any' };

export type Term =
  | { readonly type: 'text'; readonly field: 'any' | 'title' | 'notes'; readonly text: string }
  | { readonly type: 'place'; readonly kind: 'in' | 'list' | 'folder'; readonly name: string }
  | { readonly type: 'label'; readonly name: string }
  | { readonly type: 'group'; readonly name: string }
  | { readonly type: 'is'; readonly trait: Trait }
  | { readonly type: 'has'; readonly what: Possession }
  | { readonly type: 'date'; readonly field: DateField; readonly test: DateTest }
  | { readonly type: 'duration'; readonly comparison: Comparison; readonly minutes: number }
  | { readonly type: 'meta'; readonly key: string; readonly value: string | null };

/** Where in the query something stands. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Expression =
  /** Matches everything: an empty query. */
  | { readonly type: 'all' }
  | { readonly type: 'and'; readonly parts: readonly Expression[] }
  | { readonly type: 'or'; readonly parts: readonly Expression[] }
  | { readonly type: 'not'; readonly part: Expression }
  | { readonly type: 'term'; readonly term: Term; readonly span: Span };

export type SortField = 'due-date' | 'start-date' | 'creation-date' | 'alphabetically' | 'label' | 'duration';

/** What a query says about the view instead of the tasks. */
export interface Directives {
  readonly sort: { readonly field: SortField; readonly order: 'asc' | 'desc' } | null;
  readonly limit: number | null;
  /** Null: as the settings say. */
  readonly nested: boolean | null;
  readonly duplicates: boolean | null;
}

/** Something that was not understood; it is left out, and the rest works. */
export interface Problem extends Span {
  readonly message: string;
  /** What would be right, to be put in its place; null when nothing is near. */
  readonly hint: string | null;
}

export interface Query {
  readonly expression: Expression;
  readonly directives: Directives;
  readonly problems: readonly Problem[];
}

/** Whether `a` stands to `b` as asked. False for NaN, which is no number. */
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
