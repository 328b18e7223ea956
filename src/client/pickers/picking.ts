// The pickers as one file of the bundle; lazy.ts loads it.
export { applyPicked, createPicker, skipOccurrence } from './applying.ts';
export { PickerQuestion } from './question.ts';
export { saidFor } from './said.ts';
export { toggleSnoozed, toggleUnstarted } from './showing.ts';
export { sayRepeat } from '#core/dates/words.ts';
