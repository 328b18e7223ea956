// Entry file of the lazy part of labels, loaded when one is first chosen or changed.
import { toggleLabel } from './applying.ts';
import { setBookmarks } from './bookmarking.ts';
import { createNamed, deleteLabel, renameLabel } from './creating.ts';
import { LabelManager } from './manager.ts';
import { LabelPicker } from './picker.ts';

export { createNamed, deleteLabel, LabelManager, LabelPicker, renameLabel, setBookmarks, toggleLabel };
