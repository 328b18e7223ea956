// The dialog of the plan: where it stands, the ways to pay, the page to open, a change, invoices. What an action does is client/plan/dialog.ts.
import { useLayoutEffect, useRef } from 'react';
import { useApp } from '../../parts/app-context.ts';
import { keysIn } from '../../platform/input/options.ts';
import type { PlanAction, PlanChoice, PlanView } from '#client/plan/plan-view.ts';
import { Keys } from '../../parts/keycap.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { KeyedButton, type KeyedButtonLook } from '../sharing/keyed-button.tsx';
import shared from '../sharing/sharing.module.css';
import own from './plan.module.css';

function Act({ action, ...look }: KeyedButtonLook & { readonly action: PlanAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => app.answer('plan', action)} />;
}

function Choice({
  choice: { interval, name, price, note, isNow },
  isBusy,
  isFirst,
}: {
  readonly choice: PlanChoice;
  readonly isBusy: boolean;
  readonly isFirst: boolean;
}) {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isFirst) button.current?.focus();
  }, [isFirst]);
  return (
    <button
      ref={button}
      type="button"
      className={own.choice}
      aria-pressed={isNow}
      aria-disabled={isBusy}
      data-option=""
      {...(isFirst ? { 'data-first': '' } : {})}
      data-ph={`plan-${interval}`}
      onClick={() => app.answer('plan', { action: 'choose', interval })}
    >
      <span className={own.name}>
        {name}{' '}
        {isNow ? (
          <span className={own.now}>your plan</span>
        ) : (
          <Keys caps={app.keysOf(`plan.${interval}`)[0]} />
        )}
      </span>
      <span className={own.price}>{price}</span>
      <span className={own.note}>{note}</span>
    </button>
  );
}

function Standing({ view: { choices, promo, can, isEnding, busy } }: { readonly view: PlanView }) {
  const isBusy = busy !== null;
  return (
    <>
      {choices.length > 0 && (
        <div className={own.choices} role="group" aria-label="Ways to pay">
          {choices.map((choice, index) => (
            <Choice key={choice.interval} choice={choice} isBusy={isBusy} isFirst={index === 0} />
          ))}
        </div>
      )}
      {promo !== null && <p className={styles.rule}>{promo}</p>}
      <div className={styles.actions}>
        {can.manage && (
          <Act
            action={{ action: 'manage' }}
            isFirst={choices.length === 0}
            text={isEnding ? 'Keep my plan' : 'Card, receipts, canceling'}
            command="plan.card"
            isBusy={isBusy}
          />
        )}
        {can.invoices && (
          <Act action={{ action: 'invoices' }} text="Invoices" command="plan.list" isBusy={isBusy} />
        )}
        {can.promo && (
          <Act action={{ action: 'promo' }} text="Enter promo code" command="plan.code" isBusy={isBusy} />
        )}
        {choices.length === 0 && !can.manage && (
          <Act action={{ action: 'again' }} text="Ask again" isFirst isBusy={isBusy} />
        )}
      </div>
    </>
  );
}

function Invoices({ view: { invoices } }: { readonly view: PlanView }) {
  const app = useApp();
  return (
    <>
      {invoices !== null && invoices.length > 0 && (
        <table className={own.invoices}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Number</th>
              <th scope="col" className={own.amount}>
                Amount
              </th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {invoices.map(({ number, on, amount, state, url }) => (
              <tr key={number}>
                <td>{on}</td>
                <td>
                  {url === null ? (
                    number
                  ) : (
                    <button
                      type="button"
                      className={own.open}
                      data-option=""
                      aria-label={`Open invoice ${number}`}
                      onClick={() => app.answer('plan', { action: 'invoice', url })}
                    >
                      {number}
                    </button>
                  )}
                </td>
                <td className={own.amount}>{amount}</td>
                <td>{state}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={styles.actions}>
        <Act action={{ action: 'back' }} text="Plan" isFirst />
      </div>
    </>
  );
}

function Body({ view }: { readonly view: PlanView }) {
  const { step, action, can, busy } = view;
  switch (step) {
    case 'plan':
      return <Standing view={view} />;
    case 'invoices':
      return <Invoices view={view} />;
    case 'leaving':
      return (
        <div className={styles.actions}>
          <Act action={{ action: 'open' }} text={action} kind="primary" isFirst />
          <Act action={{ action: 'back' }} text="Back" />
        </div>
      );
    case 'change':
      return (
        <div className={styles.actions}>
          <Act action={{ action: 'yes' }} text={action} kind="primary" isBusy={busy !== null} />
          <Act action={{ action: 'back' }} text="Leave it as it is" isFirst />
        </div>
      );
    case 'returned':
      return (
        <div className={styles.actions}>
          <Act action={{ action: 'back' }} text="Plan" isFirst />
          {can.again && <Act action={{ action: 'again' }} text="Check again" isBusy={busy !== null} />}
        </div>
      );
  }
}

/** Draws the step of the dialog that is on. */
export function Plan({ plan: view }: { readonly plan: PlanView }) {
  const { title, lines, busy, said } = view;
  return (
    <div
      className={styles.form}
      data-ph="plan"
      data-step={view.step}
      data-options=""
      aria-busy={busy !== null}
      {...keysIn('dialog.plan', 'list')}
    >
      <div className={shared.head}>
        <h2 className={styles.title}>{title}</h2>
        <CloseButton />
      </div>
      <div role="status" data-ph="plan-lines">
        {lines.map((line) => (
          <p key={line} className={own.line}>
            {line}
          </p>
        ))}
      </div>
      <Body view={view} />
      <p className={said?.isError ? styles.error : shared.said} role="status" data-ph="plan-said">
        {said?.text ?? busy ?? ''}
      </p>
    </div>
  );
}
