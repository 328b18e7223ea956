// The comments of a task: what was said, and a field that has the focus. What keys do is client/together/comments-dialog.ts.
import { useLayoutEffect, useRef } from 'react';
import type { CommentsAction, CommentsView, CommentView } from '#client/together/together-view.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { useApp } from '../../parts/app-context.ts';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import own from './comments.module.css';

const commentId = (id: string) => `comment-${id}`;
const nameId = (account: number) => `comment-name-${account}`;

function useAnswer(): (action: CommentsAction) => void {
  const app = useApp();
  return (action) => app.answer('comments', action);
}

function Comment({
  item,
  isActive,
  isEditing,
}: {
  readonly item: CommentView;
  readonly isActive: boolean;
  readonly isEditing: boolean;
}) {
  const answer = useAnswer();
  return (
    <li
      id={commentId(item.id)}
      className={own.comment}
      aria-current={isActive || undefined}
      data-editing={isEditing || undefined}
      data-ph="comment"
    >
      <Avatar person={item.author} size={28} />
      <div className={own.body}>
        <p className={own.by}>
          <bdi>{item.by}</bdi> <span className={own.at}>{item.at}</span>
          {item.isEdited && <span className={own.at}> (edited)</span>}
        </p>
        <p className={own.text} dir="auto">
          {item.pieces.map(({ text, isPerson, isMe }, index) =>
            isPerson ? (
              <span key={`${index} ${text}`} className={own.mention} data-me={isMe || undefined}>
                {text}
              </span>
            ) : (
              text
            ),
          )}
        </p>
      </div>
      <span className={own.acts}>
        {item.isMine && (
          <Button
            aria-label={`Edit the comment of ${item.at}`}
            onClick={() => answer({ action: 'edit', id: item.id })}
          >
            Edit
          </Button>
        )}
        {item.canRemove && (
          <Button
            aria-label={`Remove the comment of ${item.by} of ${item.at}`}
            onClick={() => answer({ action: 'remove', id: item.id })}
          >
            Remove
          </Button>
        )}
      </span>
    </li>
  );
}

/** People whose names begin as what is typed. */
function Names({ people, person }: Pick<CommentsView, 'people' | 'person'>) {
  const answer = useAnswer();
  return (
    <div
      id="comment-names"
      role="listbox"
      aria-label="People"
      className={own.names}
      hidden={people.length === 0}
    >
      {people.map((one, index) => (
        <div
          key={one.account}
          id={nameId(one.account)}
          role="option"
          aria-selected={index === person}
          className={own.name}
          tabIndex={-1}
          onPointerDown={(event) => {
            // The field keeps the focus.
            event.preventDefault();
            answer({ action: 'mention', account: one.account });
          }}
        >
          <Avatar person={one} size={20} /> <bdi>{one.name}</bdi>
          {one.isMe && <span className={own.at}>you</span>}
        </div>
      ))}
    </div>
  );
}

/** What the keys are about beside the text: a name that is offered, or a comment. */
function activeId({ people, person, active }: CommentsView): string | undefined {
  const named = people[person];
  if (named !== undefined) return nameId(named.account);
  return active === null ? undefined : commentId(active);
}

function Field({ comments }: { readonly comments: CommentsView }) {
  const answer = useAnswer();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, caret, people, editing } = comments;
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null || element.value === text) return;
    element.value = text;
    element.setSelectionRange(caret, caret);
  }, [text, caret]);
  useLayoutEffect(() => {
    field.current?.focus();
  }, [editing]);
  const tell = (element: HTMLTextAreaElement) =>
    answer({ action: 'type', text: element.value, caret: element.selectionStart });
  return (
    <textarea
      ref={field}
      className={own.field}
      data-first=""
      data-ph="comment-field"
      dir="auto"
      rows={3}
      aria-label={editing === null ? 'New comment' : 'Change the comment'}
      aria-describedby="comment-hint"
      aria-controls={people.length > 0 ? 'comment-names' : undefined}
      aria-activedescendant={activeId(comments)}
      spellCheck
      defaultValue={text}
      onInput={(event) => tell(event.currentTarget)}
      onSelect={(event) => {
        const element = event.currentTarget;
        if (element.value === text && element.selectionStart !== caret) tell(element);
      }}
      {...keysIn('dialog.comments')}
    />
  );
}

/** Draws the dialog of a task's comments. */
export function Comments({ comments }: { readonly comments: CommentsView }) {
  const answer = useAnswer();
  const list = useRef<HTMLUListElement>(null);
  const { title, items, active, editing, hint, said } = comments;
  const last = items.at(-1)?.id;
  useLayoutEffect(() => {
    const shown = active ?? last;
    if (shown !== undefined) document.getElementById(commentId(shown))?.scrollIntoView({ block: 'nearest' });
  }, [active, last]);
  return (
    <div className={styles.form} data-ph="comments-dialog">
      <div className={own.head}>
        <div>
          <h2 className={styles.title}>Comments</h2>
          <p className={styles.rule} dir="auto">
            {title}
          </p>
        </div>
        <CloseButton />
      </div>
      {items.length === 0 ? (
        <p className={styles.rule}>No comments yet.</p>
      ) : (
        <ul ref={list} className={own.list} aria-label="Comments">
          {items.map((item) => (
            <Comment
              key={item.id}
              item={item}
              isActive={item.id === active}
              isEditing={item.id === editing}
            />
          ))}
        </ul>
      )}
      <Field comments={comments} />
      <Names people={comments.people} person={comments.person} />
      <p id="comment-hint" className={`${styles.rule} ${own.byKey}`}>
        {hint}
      </p>
      <p className={said?.isError ? styles.error : styles.rule} role="status" hidden={said === null}>
        {said?.text}
      </p>
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => answer({ action: 'send' })}>
          {editing === null ? 'Send' : 'Save'}
        </Button>
      </div>
    </div>
  );
}
