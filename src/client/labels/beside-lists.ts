// The labels in the sidebar, below the lists: each leads to its tasks. What it costs grows with the labels, not with the tasks.
import { definePart, type PartHooks } from '../app/part.ts';
import { queryOf } from './carriers.ts';
import { allLabels } from './label-scopes.ts';

/** Puts the labels into the sidebar, and keeps them up to date. A key of their picker comes with it. */
export const labelsBesideLists = definePart({
  name: 'Labels beside the lists',
  keys: [{ context: 'dialog.labels', keys: 'Alt+Enter', command: 'labels.createPrivate' }],
  create({ sidebar, replica, labelKeys }): PartHooks {
    sidebar.labels = () => allLabels(replica).map(({ row }) => row);
    sidebar.labelOf = (query) =>
      query.startsWith('label:') ? (sidebar.labels().find((row) => queryOf(row) === query) ?? null) : null;
    sidebar.invalidate();
    return {
      apply(changes) {
        const touches = (type: string) =>
          changes.some(({ before, after }) => (after ?? before)?.type === type);
        if (touches('label') || touches('labelGroup')) sidebar.invalidate();
        // One's own keys of labels of shared lists are settings.
        if (touches('setting')) labelKeys.invalidate();
      },
    };
  },
});
