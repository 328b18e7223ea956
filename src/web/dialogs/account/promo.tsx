// The promo code of an account: redeeming one, or what it brings. What an answer does is client/safety.
import type { PromoRedemption } from '#client/safety/port.ts';
import type { SafetyStepView } from '#client/safety/safety-view.ts';
import { useLayoutEffect, useRef } from 'react';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import { Field, Step } from './safety-step.tsx';

const NOTHING_CHARGED =
  'Nothing is charged. The discount stays with your account and applies when you subscribe.';

function Redeemed({ redemption }: { readonly redemption: PromoRedemption }) {
  const app = useApp();
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => back.current?.focus(), []);
  const { code, partner, discountPercentage, discountMonths, redeemedAt } = redemption;
  const day = new Intl.DateTimeFormat(app.platform.locale(), { dateStyle: 'long' }).format(redeemedAt);
  const months = discountMonths === 1 ? 'month' : `${discountMonths} months`;
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>
          {discountPercentage}% off your first {months}
        </h2>
        <p className={styles.rule} role="status">
          You redeemed {code}, from {partner}, on {day}. {NOTHING_CHARGED}
        </p>
      </div>
      <div className={styles.actions}>
        <Button ref={back} kind="primary" onClick={() => app.closeDialog()}>
          Close
        </Button>
        <Button onClick={() => app.answer('safety', { action: 'back' })}>Account</Button>
      </div>
    </div>
  );
}

export function Promo({
  step,
  busy,
}: {
  readonly step: SafetyStepView & { type: 'promo' };
  readonly busy: boolean;
}) {
  if (step.redemption) return <Redeemed redemption={step.redemption} />;
  return (
    <Step
      title="Enter promo code"
      lead={`You can redeem one per account. ${NOTHING_CHARGED}`}
      action="redeem"
      label="Redeem"
      busy={busy}
      error={step.error}
    >
      <Field name="code" label="Promo code" autoComplete="off" value={step.code} />
    </Step>
  );
}
