// What the steps of the dialog of encryption are framed by.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { SealingAction, SealingStep } from '#client/sealing/view.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';

/** An action that needs nothing further. */
export type SealingPress = Exclude<SealingAction['action'], 'choose' | 'read' | 'send'>;
/** One step. */
export type Of<T extends SealingStep['type']> = Extract<SealingStep, { readonly type: T }>;

/** Title and sentence of a step. */
export interface FrameProps {
  readonly title: string;
  readonly lead: string;
  readonly children?: ReactNode;
}

/** The head of a step, and what is under it. */
export function Frame({ title, lead, children }: FrameProps) {
  return (
    <>
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.rule}>{lead}</p>
      </div>
      {children}
    </>
  );
}

/** A button that has the focus when its step appears. */
export function First(props: React.ComponentProps<typeof Button>) {
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return <Button {...props} ref={first} isFirst />;
}

/** Up to five names, and how many more there are. */
export const listed = (shared: readonly string[]): string =>
  new Intl.ListFormat('en-US').format(shared.slice(0, 5).map((name) => `“${name}”`)) +
  (shared.length > 5 ? ` and ${shared.length - 5} more` : '');
