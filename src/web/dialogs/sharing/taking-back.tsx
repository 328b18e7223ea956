// Undo what somebody did: the people of a list, then what the chosen one did, newest first, and what would come of taking it back.
// What an action does is client/taking-back.
import { useEffect, useRef } from 'react';
import type { TakingBackView } from '#client/taking-back/view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Keys } from '../../parts/keycap.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { Sentence } from '../history.tsx';
import own from './sharing.module.css';

const optionId = (index: number) => `taking-back-${index}`;

function Option({
  index,
  isActive,
  isIncluded = false,
  children,
}: {
  readonly index: number;
  readonly isActive: boolean;
  readonly isIncluded?: boolean;
  readonly children: React.ReactNode;
}) {
  const app = useApp();
  return (
    <div
      id={optionId(index)}
      role="option"
      aria-selected={isActive}
      className={own.option}
      data-ph="taking-back-option"
      data-included={isIncluded || undefined}
      onClick={() => app.answer('takingBack', { action: 'choose', index })}
    >
      {children}
    </div>
  );
}

function Options({ view }: { readonly view: TakingBackView }) {
  const { step, people, moments } = view;
  const list = useRef<HTMLDivElement>(null);
  const active = (step === 'people' ? people : moments).findIndex(({ isActive }) => isActive);
  useEffect(() => {
    list.current?.focus();
  }, [step]);
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active, step]);
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      data-first=""
      className={own.options}
      aria-label={step === 'people' ? 'People' : 'Changes, newest first'}
      aria-activedescendant={active < 0 ? undefined : optionId(active)}
      {...keysIn('dialog.takingBack', 'list')}
    >
      {step === 'people'
        ? people.map(({ person, note, isActive }, index) => (
            <Option key={person.account} index={index} isActive={isActive}>
              <Avatar person={person} size={24} />
              <span className={own.who}>
                <bdi>{person.name}</bdi>
              </span>
              <span className={styles.detail}>{note}</span>
            </Option>
          ))
        : moments.map(({ id, when, sentence, isActive, isIncluded }, index) => (
            <Option key={id} index={index} isActive={isActive} isIncluded={isIncluded}>
              <span className={own.who}>
                <Sentence phrases={sentence} />
              </span>
              <span className={styles.detail}>{when}</span>
            </Option>
          ))}
    </div>
  );
}

function emptyText({ isReading, step, people, moments }: TakingBackView): string | null {
  if (step === 'people') return people.length === 0 ? 'Nobody else is in this list.' : null;
  if (moments.length > 0) return null;
  return isReading ? 'Reading the history…' : 'Nothing on record that this person did here.';
}

/** `view`: what is drawn; the keys are in client/taking-back. */
export function TakingBack({ view }: { readonly view: TakingBackView }) {
  const app = useApp();
  const { step, list, summary, canTakeBack, isReading, hasMore, note, answer } = view;
  const isMoments = step === 'moments';
  const empty = emptyText(view);
  return (
    <div className={styles.form} data-ph="taking-back" aria-busy={isReading}>
      <div className={own.head}>
        <h2 className={styles.title}>Undo what somebody did in {list}</h2>
        <CloseButton />
      </div>
      <p className={styles.rule}>
        {isMoments ? 'Since when? What is marked is taken back, as one undo.' : 'Whose changes?'}
      </p>
      <Options view={view} />
      {empty !== null && <p className={styles.rule}>{empty}</p>}
      {note !== null && (
        <p className={styles.error} role="alert">
          {note}
        </p>
      )}
      {summary.length > 0 && (
        <div role="status" data-ph="taking-back-summary">
          <ul className={own.lines}>
            {summary.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      <p
        role="status"
        className={answer?.isError === true ? styles.error : own.said}
        hidden={answer === null}
      >
        {answer?.text}
      </p>
      {isMoments && (
        <div className={styles.actions}>
          {hasMore && (
            <Button onClick={() => app.answer('takingBack', { action: 'more' })}>Read older changes</Button>
          )}
          <Button onClick={() => app.answer('takingBack', { action: 'until' })}>
            Only up to here <Keys caps={app.keysOf('sharing.takeBackUntil')[0]} />
          </Button>
          <Button
            kind="danger"
            aria-disabled={!canTakeBack}
            onClick={() => app.answer('takingBack', { action: 'go' })}
          >
            Take back <Keys caps={app.keysOf('options.choose')[0]} />
          </Button>
        </div>
      )}
    </div>
  );
}
