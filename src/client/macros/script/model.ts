// What a JavaScript step of a macro may read: the contract with everybody's scripts. fixture.json holds an example of all of it, and
// a test compares. Fields are never removed and never change their meaning. What each field means stands on the
// site (site/texts/updating-macro-variables-with-javascript.md).
import type { ListType, RepeatMetadata, RepeatRule, RepeatUnit, SortField } from '#core/model.ts';

/** A moment as ISO 8601 writes it in UTC: `2026-11-27T17:00:00.000Z`. */
export type IsoMoment = string;

/** A day without a time: `2026-11-27`. */
export type IsoDay = string;

export interface ScriptLabel {
  readonly id: string;
  readonly name: string;
  readonly colorHexString: string;
  readonly associatedSharedListID: string | null;
  readonly labelGroupID: string | null;
}

/** A task, as a script reads it. */
export interface ScriptTask {
  readonly id: string;
  readonly title: string;
  readonly notes: string;
  readonly listID: string;
  readonly indentLevel: number;
  readonly completedAt: IsoMoment | null;
  readonly clearedAt: IsoMoment | null;
  readonly dueAt: IsoMoment | null;
  readonly snoozedUntil: IsoMoment | null;
  readonly startsAt: IsoMoment | null;
  readonly timelessDueAt: IsoDay | null;
  readonly timelessSnoozedUntil: IsoDay | null;
  readonly timelessStartsAt: IsoDay | null;
  readonly snoozeCount: number;
  readonly durationMinutes: number | null;
  readonly repeatValue: number | null;
  readonly repeatUnit: RepeatUnit | null;
  readonly repeatUnitMetadata: RepeatMetadata | null;
  readonly repeatFrom: RepeatRule['from'];
  readonly labels: readonly ScriptLabel[];
  readonly bookmarkedAt: IsoMoment | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A list, as a script reads it. */
export interface ScriptList {
  readonly id: string;
  readonly name: string;
  readonly listType: ListType;
  readonly indentLevel: number;
  readonly archivedAt: IsoMoment | null;
  readonly smartListQuery: string | null;
  readonly persistentSortField: SortField | null;
  readonly persistentSortOrder: 'asc' | 'desc' | null;
  readonly notes: string;
  readonly tasks: readonly ScriptTask[];
}

/** All that a script reads besides its variables. A task that is in both places is one object. */
export interface ScriptState {
  readonly selectedList: ScriptList | null;
  readonly selectedTasks: readonly ScriptTask[];
  readonly now: IsoMoment;
  /** IANA name. */
  readonly zone: string;
  readonly today: IsoDay;
}
