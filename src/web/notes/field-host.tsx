// The field that notes are written in, as the pane shows it. A lazy chunk, with all that it needs.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { NotesView } from '#client/app/view.ts';
import { useApp } from '../parts/app-context.ts';
import { projectFocus } from '../views/focus.ts';
import { RichNotesField } from './field.ts';
import styles from './field-host.module.css';

/** `caret`: where writing begins, put once for each object; null: where it was, at first the end. */
export function NotesFieldHost({
  notes,
  label,
  caret,
}: {
  readonly notes: NotesView;
  readonly label: string;
  readonly caret: { readonly at: number } | null;
}) {
  const app = useApp();
  const host = useRef<HTMLDivElement>(null);
  const field = useRef<RichNotesField | null>(null);
  const { id, text, isEditing } = notes;
  const first = useRef({ text, label });

  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const made = new RichNotesField(host.current, {
      ...first.current,
      changed: (next, before) => app.draftNotes(id, next, before),
      stands: () => app.readNotes(id) ?? first.current.text,
    });
    field.current = made;
    return () => {
      field.current = null;
      made.close();
    };
  }, [app, id]);

  useEffect(() => field.current?.follow(), [text]);

  useLayoutEffect(() => {
    const made = field.current;
    if (!isEditing || !made) return undefined;
    made.measure();
    app.notesField(made);
    projectFocus(app.view);
    return () => app.notesField(null);
  }, [app, isEditing]);

  useLayoutEffect(() => {
    if (caret !== null) field.current?.putCaret(caret.at);
  }, [caret]);

  return <div ref={host} className={styles.host} hidden={!isEditing} data-ph="notes-field" />;
}
