// View and actions of the dialog that plans a day.

/** One task of the day in the dialog. */
export interface PlannedTaskView {
  readonly title: string;
  /** First line of its notes. */
  readonly note: string;
  /** "Work · due Fri 27 Nov · 45 min" */
  readonly facts: string;
  /** "Next free: 14:00–14:45", or why there is none. */
  readonly gap: string;
}

/** An event or a block of today. */
export interface PlannedTimeView {
  readonly key: string;
  /** "09:00–09:15", "All day". */
  readonly time: string;
  readonly title: string;
  readonly isBlock: boolean;
}

/** The dialog that plans a day. */
export interface PlanDayView {
  readonly step: 'task' | 'at' | 'later' | 'estimate' | 'end';
  /** "2 of 7"; empty at the end. */
  readonly position: string;
  /** Null at the end. */
  readonly task: PlannedTaskView | null;
  readonly times: readonly PlannedTimeView[];
  readonly capacity: { readonly text: string; readonly isOver: boolean };
  /** What was done, at the end. */
  readonly summary: string;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}

/** An action in the dialog that plans a day. */
export type PlanDayAction =
  | {
      readonly action:
        | 'plan'
        | 'tomorrow'
        | 'complete'
        | 'skip'
        | 'back'
        | 'at'
        | 'later'
        | 'estimate'
        | 'cancel'
        | 'end';
    }
  /** What was typed in the step that is on. */
  | { readonly action: 'send'; readonly text: string };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly planDay: { readonly view: { readonly plan: PlanDayView }; readonly action: PlanDayAction };
  }
}
