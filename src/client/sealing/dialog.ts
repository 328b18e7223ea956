// The dialog of encryption: turning it on and off, unlocking this device, a new code or key, forgetting it. What needs a fresh confirmation of identity is repeated
// after it. Nothing is sealed before the code was typed again. It is drawn by web/dialogs/account/sealing.tsx. A lazy part.
import { unreachable } from '#core/assert.ts';
import type { Result } from '#core/result.ts';
import type { DeskState, NewCode, SealingDesk } from '#sync/sealing/sealing-desk.ts';
import type { PairingProblem } from '#sync/sealing/pairing-desk.ts';
import type { TurnProblem } from '#sync/sealing/turning.ts';
import type { Program } from '../app/program.ts';
import type { FormValues } from '../dialogs/form-values.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { SafetyPort } from '../safety/port.ts';
import type { SealingStart } from './lazy.ts';
import { copyCode, forgetTexts, saveCode } from './leavings.ts';
import { keptLists, lockedLists, openLists, publishedLists } from './lists.ts';
import { overviewOf } from './overview.ts';
import { PairingSteps } from './pairing-steps.ts';
import type { CodePurpose, KeyToTurnOn, SealingAction, SealingStep } from './view.ts';
import {
  ALL_ON,
  EMPTY,
  FORGOTTEN,
  KEYLESS,
  LOCKED,
  NO_KEYS,
  OFF,
  offWords,
  passphraseProblem,
  RENEWED,
  replayWords,
  ROTATE_OFF,
  turnWords,
  UNLOADED,
  UNSENT,
  unlockedWords,
  unlockWords,
} from './words.ts';

const LOOK_AGAIN_MS = 1_000;
/** Steps with a field of text. */
const TYPED: ReadonlySet<SealingStep['type']> = new Set(['type', 'unlock', 'confirm', 'passphrase']);

type Question = () => Promise<Result<unknown, TurnProblem | PairingProblem>>;

/** The person’s own tasks are plain, or as good as that. */
const isOffIn = ({ phase, isOutdated }: DeskState): boolean => phase === 'plain' && !isOutdated;

/** The dialog's controller. */
export class SealingDialog implements OpenDialog {
  readonly type = 'sealing';
  readonly #program: Program;
  readonly #start: SealingStart;
  #desk: SealingDesk | null = null;
  #step: SealingStep = { type: 'asking' };
  #code: NewCode | null = null;
  #purpose: CodePurpose = 'turnOn';
  /** What is under way is under a new key. */
  #isNewKey = false;
  /** What waits for a confirmation of identity. */
  #waiting: (() => Promise<void>) | null = null;
  #isBusy = false;
  /** How much there was to do when it was first seen. */
  #most = 0;
  #stopLooking: (() => void) | null = null;
  #pairing: PairingSteps | null = null;
  /** The step was opened from the overview. */
  #isWithin = false;

  constructor(program: Program, start: SealingStart) {
    this.#program = program;
    this.#start = start;
  }

  get isTyping(): boolean {
    return TYPED.has(this.#step.type);
  }

  /** Escape in a step goes back to the overview, if it was opened from there. What was begun goes on. */
  clearFilter(): boolean {
    if (!this.#isWithin || this.#isBusy) return false;
    this.#pairing?.leave();
    this.#toOverview();
    return true;
  }

  leave(): void {
    this.#stopLooking?.();
    this.#pairing?.leave();
  }

  refresh(): void {
    if (!this.#program.dialog.isOf(this)) return;
    this.#program.dialog.show({ type: 'sealing', sealing: { step: this.#step, busy: this.#isBusy } });
  }

  /** Asks the server how it stands. Resolves once that is on screen. */
  async open(): Promise<void> {
    try {
      this.#desk = await this.#program.platform.account.sealing();
    } catch {
      this.#program.act(() => this.#show({ type: 'problem', text: UNLOADED }));
      return;
    }
    await this.#look((state) => this.#begin(state, this.#start), this.#start);
  }

  submit(action: SealingAction): void {
    if (this.#isBusy) return;
    switch (action.action) {
      case 'next':
        this.#next();
        return;
      case 'back':
        if (this.#step.type === 'type') this.#show(this.#codeStep(null));
        else this.#toOverview();
        return;
      case 'copy':
        void this.#copy();
        return;
      case 'save':
        saveCode(this.#program, this.#code);
        return;
      case 'export':
        this.#program.run('export.accountJson');
        return;
      case 'turnOn':
      case 'turnOff':
      case 'unlock':
      case 'newCode':
      case 'passphrase':
      case 'ask':
      case 'give':
      case 'rotate':
      case 'forget':
        this.#isWithin = this.#step.type === 'overview';
        void this.#look((state) => this.#begin(state, action.action), action.action);
        return;
      case 'newKey':
        this.#check('other');
        return;
      case 'removePassphrase':
        void this.#passphrase(null);
        return;
      case 'addPasskey':
        this.#addPasskey();
        return;
      case 'removePasskeys':
        this.#removePasskeys();
        return;
      case 'usePasskey':
        void this.#unlock(null);
        return;
      case 'choose':
      case 'same':
      case 'different':
      case 'scan':
      case 'read':
        this.#pairing?.act(action);
        return;
      case 'send':
        this.#send(action.values);
        return;
      default:
        unreachable(action);
    }
  }

  #toOverview(): void {
    this.#isWithin = false;
    this.#show({ type: 'asking' });
    void this.#look((state) => this.#overview(state, null));
  }

  #show(step: SealingStep): void {
    this.#step = step;
    if (step.type === 'overview' || step.type === 'moving') this.#isWithin = false;
    this.refresh();
  }

  async #look(then: (state: DeskState) => void, start?: SealingStart): Promise<void> {
    const answer = await this.#desk?.state(start === 'forget');
    if (answer === undefined) return;
    this.#program.act(() => {
      if (!this.#program.dialog.isOf(this)) return;
      if (answer.ok) then(answer.value);
      else this.#show({ type: 'problem', text: answer.problem.message });
    });
  }

  #begin(state: DeskState, start: SealingStart): void {
    switch (start) {
      case 'overview':
        this.#overview(state, null);
        return;
      case 'turnOn':
        if (isOffIn(state)) this.#beginTurningOn(state);
        else this.#overview(state, null);
        return;
      case 'forget':
        this.#beginForgetting(state);
        return;
      case 'unlock':
      case 'ask':
        // The key of before opens lists that stay encrypted, and joins some.
        if (state.generation === 0)
          this.#show({ type: 'problem', text: keptLists(this.#program).length === 0 ? OFF : NO_KEYS });
        else if (state.isOpen) this.#overview(state, unlockedWords(lockedLists(this.#program)));
        else if (start === 'ask') this.#pair()?.ask();
        else this.#show(this.#locked(state, null));
        return;
      case 'turnOff':
      case 'newCode':
      case 'passphrase':
      case 'rotate':
      case 'give':
        this.#beginWithKey(state, start);
        return;
      default:
        unreachable(start);
    }
  }

  get #hasUnsent(): boolean {
    return this.#program.engine.facts().pending.length > 0;
  }

  /** What only a device with the key can do. */
  #beginWithKey(
    state: DeskState,
    start: Extract<SealingStart, 'turnOff' | 'newCode' | 'passphrase' | 'rotate' | 'give'>,
  ): void {
    const isOff = isOffIn(state);
    const kept = keptLists(this.#program);
    if (isOff && (start === 'turnOff' || kept.length === 0)) this.#show({ type: 'problem', text: OFF });
    else if (state.generation === 0) this.#show({ type: 'problem', text: NO_KEYS });
    else if (!state.isOpen) this.#show(this.#locked(state, LOCKED));
    else if (isOff && start === 'rotate') this.#show({ type: 'problem', text: ROTATE_OFF });
    else if (start === 'turnOff') this.#show({ type: 'off', kept });
    else if (start === 'give') this.#pair()?.choose();
    else if (start === 'passphrase')
      this.#show({ type: 'passphrase', has: state.hasPassphrase, error: null });
    else if (start === 'rotate' && state.phase !== 'sealed') this.#overview(state, null);
    else if (start === 'rotate') void this.#beginRotation(state);
    else this.#makeCode('newCode');
  }

  /** A new key would lock the encrypted lists of somebody who has one on another device: that one is asked for first. */
  #beginTurningOn(state: DeskState): void {
    const hasOther = state.generation > 0 && !state.isOpen;
    if (this.#hasUnsent) this.#show({ type: 'problem', text: UNSENT });
    else if (hasOther && keptLists(this.#program).length > 0)
      this.#show({ ...this.#locked(state, null), isToTurnOn: true });
    else this.#check(hasOther ? 'other' : state.generation > 0 ? 'again' : 'first');
  }

  #check(key: KeyToTurnOn): void {
    this.#show({ type: 'check', shared: openLists(this.#program), key, kept: keptLists(this.#program) });
  }

  async #beginRotation({ hasPassphrase, hasPasskey }: DeskState): Promise<void> {
    const dropped = [...(hasPassphrase ? ['your passphrase'] : []), ...(hasPasskey ? ['your passkeys'] : [])];
    const kept = keptLists(this.#program);
    const published = await publishedLists(this.#program);
    this.#program.act(() => {
      if (this.#program.dialog.isOf(this)) this.#show({ type: 'rotate', dropped, kept, published });
    });
  }

  #beginForgetting(state: DeskState): void {
    const { phase, isOpen, isOutdated, devices } = state;
    if (!isOpen && !isOutdated) this.#show({ type: 'problem', text: KEYLESS });
    else if (phase === 'sealing' || phase === 'unsealing') this.#overview(state, null);
    else if (this.#hasUnsent) this.#show({ type: 'problem', text: UNSENT });
    else
      this.#show({
        type: 'forget',
        isOn: phase !== 'plain',
        kept: keptLists(this.#program),
        isOnly: !devices.some(({ isThis }) => !isThis),
        ...(state.isOffline && { isOffline: true }),
      });
  }

  /** The copy locks its rows and erases the key: this waits for it. */
  async #forget(): Promise<void> {
    this.#show({ type: 'forgetting' });
    await this.#desk?.leave();
    await this.#awaitForgotten();
  }

  async #awaitForgotten(): Promise<void> {
    const hasKey = await this.#desk?.hasKey();
    this.#program.act(() => {
      if (!this.#program.dialog.isOf(this)) return;
      if (hasKey === false) {
        void forgetTexts(this.#program).then(() =>
          this.#look((state) => this.#overview(state, FORGOTTEN), 'forget'),
        );
        return;
      }
      this.#program.engine.nudge();
      this.#stopLooking = this.#program.platform.after(LOOK_AGAIN_MS, () => void this.#awaitForgotten());
    });
  }

  /** Begins to pair this device with another; what was begun before is over. */
  #pair(): PairingSteps | null {
    this.#pairing?.leave();
    const desk = this.#desk?.pairing;
    if (desk === undefined) return null;
    const steps: PairingSteps = new PairingSteps(desk, {
      show: (step) => this.#show(step),
      problem: (text) => this.#show({ type: 'problem', text }),
      ended: (said) => {
        this.#program.engine.nudge();
        void this.#look((state) => this.#overview(state, said));
      },
      after: (delayMs, work) => this.#program.platform.after(delayMs, work),
      act: (work) =>
        this.#program.act(() => {
          if (this.#program.dialog.isOf(this) && this.#pairing === steps) work();
        }),
      ask: (question, then) => void this.#ask(question, then),
    });
    this.#pairing = steps;
    return steps;
  }

  #overview(state: DeskState, said: string | null): void {
    const { phase, isOpen } = state;
    if (phase === 'sealing' || phase === 'unsealing') {
      if (isOpen) this.#follow(state);
      else this.#show(this.#locked(state, null));
      return;
    }
    this.#summary(state, said);
  }

  /** Says once what the server did that no server should. */
  async #tellReplays(): Promise<void> {
    const count = (await this.#desk?.tellReplays()) ?? 0;
    this.#program.act(() => {
      if (count > 0 && this.#step.type === 'overview')
        this.#show({ ...this.#step, warning: replayWords(count) });
    });
  }

  #summary(state: DeskState, said: string | null): void {
    void this.#tellReplays();
    const knowsPasskeys = this.#desk?.knowsPasskeys === true;
    const shown = overviewOf(this.#program, { state, said, knowsPasskeys });
    this.#show(shown);
    if (state.filesLeft === 0) return;
    // Files follow one by one: their number is kept up while it is looked at.
    this.#stopLooking = this.#program.platform.after(LOOK_AGAIN_MS, () => {
      this.#program.engine.nudge();
      void this.#look((now) => {
        if (this.#step === shown) this.#summary(now, said);
      });
    });
  }

  #makeCode(purpose: CodePurpose): void {
    this.#code = (purpose === 'rotate' ? this.#desk?.newKey() : this.#desk?.newCode()) ?? null;
    this.#purpose = purpose;
    this.#show(this.#codeStep(null));
  }

  #codeStep(said: string | null): SealingStep {
    const { groups, asked } = this.#code ?? { groups: [], asked: [0, 1] as const };
    return { type: 'code', groups, asked, shared: openLists(this.#program), purpose: this.#purpose, said };
  }

  #next(): void {
    const { type } = this.#step;
    if (type === 'check') this.#makeCode('turnOn');
    else if (type === 'rotate') this.#makeCode('rotate');
    else if (type === 'forget') void this.#forget();
    else if (type === 'code') this.#showTyping(null);
    else if (type === 'off')
      void this.#ask(
        () => this.#endAll(),
        () => this.#turned({ isOn: false }),
      );
    else if (type === 'problem') void this.#look((state) => this.#overview(state, null));
  }

  #showTyping(error: string | null): void {
    this.#show({ type: 'type', asked: this.#code?.asked ?? [0, 1], purpose: this.#purpose, error });
  }

  #send(values: FormValues): void {
    const { type } = this.#step;
    if (type === 'type') this.#typed(values);
    else if (type === 'passphrase') this.#typedPassphrase(values);
    else if (type === 'unlock') void this.#unlock(values['code'] ?? '');
    else if (type === 'confirm') void this.#confirm(values);
  }

  #typed(values: FormValues): void {
    const code = this.#code;
    const desk = this.#desk;
    if (code === null || desk === null) return;
    const wrong = code.asked.find(
      (group, index) => !desk.isGroup(code, group, values[`group${index}`] ?? ''),
    );
    if (wrong !== undefined) {
      this.#showTyping(`Group ${wrong + 1} isn’t as shown. Check what you wrote down.`);
      return;
    }
    if (this.#purpose === 'newCode')
      void this.#ask(
        () => desk.keep(code),
        () => this.#kept('This is your code from now on. The old one no longer works.'),
      );
    else
      void this.#ask(
        () => (this.#purpose === 'rotate' ? desk.rotate(code) : desk.begin(code)),
        () => this.#turned({ isOn: true }),
      );
  }

  #typedPassphrase({ passphrase = '', again = '' }: FormValues): void {
    const has = this.#step.type === 'passphrase' && this.#step.has;
    const error = passphraseProblem(passphrase, again);
    if (error === null) void this.#passphrase(passphrase);
    else this.#show({ type: 'passphrase', has, error });
  }

  async #passphrase(text: string | null): Promise<void> {
    const desk = this.#desk;
    if (desk === null) return;
    const said =
      text === null
        ? 'The passphrase no longer opens anything.'
        : 'Your passphrase opens new devices from now on, besides the recovery code.';
    await this.#ask(
      () => desk.keepPassphrase(text),
      () => this.#kept(said),
    );
  }

  #addPasskey(): void {
    const desk = this.#desk;
    if (desk === null) return;
    void this.#ask(
      () => desk.keepPasskey(),
      () => this.#kept('This passkey unlocks new devices from now on, besides the recovery code.'),
    );
  }

  #removePasskeys(): void {
    const desk = this.#desk;
    if (desk === null) return;
    void this.#ask(
      () => desk.removePasskeys(),
      () => this.#kept('Passkeys no longer open anything.'),
    );
  }

  /** What opens the account has changed. */
  #kept(said: string): void {
    void this.#look((state) => this.#summary(state, said));
  }

  #endAll(): ReturnType<Question> {
    const desk = this.#desk;
    return desk === null ? Promise.reject(new Error('The dialog is not open.')) : desk.end();
  }

  /** Sealing or opening has begun: the copy hears of it from the server and does it. */
  #turned({ isOn }: { readonly isOn: boolean }): void {
    this.#most = 0;
    this.#code = null;
    this.#isNewKey = isOn && this.#purpose === 'rotate';
    this.#program.engine.nudge();
    this.#show({ type: 'moving', isOn, isAnew: this.#isNewKey, share: null });
    void this.#look((state) => this.#follow(state));
  }

  #follow(state: DeskState): void {
    const { phase, left } = state;
    if (phase === 'sealed' || phase === 'plain') {
      const on = this.#isNewKey ? RENEWED : ALL_ON;
      this.#isNewKey = false;
      this.#overview(state, phase === 'sealed' ? on : offWords(keptLists(this.#program)));
      return;
    }
    this.#most = Math.max(this.#most, left ?? 0);
    const share = left === null || this.#most === 0 ? null : 1 - left / this.#most;
    const isOn = phase === 'sealing';
    this.#show({ type: 'moving', isOn, isAnew: isOn && this.#isNewKey, share });
    this.#stopLooking = this.#program.platform.after(LOOK_AGAIN_MS, () => {
      this.#program.engine.nudge();
      void this.#look((next) => this.#follow(next));
    });
  }

  #locked(state: DeskState, error: string | null): Extract<SealingStep, { readonly type: 'unlock' }> {
    const hasPasskey = state.hasPasskey && this.#desk?.knowsPasskeys === true;
    const { isOutdated } = state;
    return { type: 'unlock', hasPasskey, isOutdated, isOff: isOffIn(state), isToTurnOn: false, error };
  }

  /** `code`: as it was typed; null: a passkey is to open this device. */
  async #unlock(code: string | null): Promise<void> {
    const desk = this.#desk;
    const step = this.#step;
    if (desk === null || step.type !== 'unlock') return;
    this.#isBusy = true;
    this.refresh();
    const opened = code === null ? await desk.unlockByPasskey() : await desk.unlock(code);
    this.#program.act(() => {
      this.#isBusy = false;
      if (!opened.ok) {
        this.#show({ ...step, error: unlockWords(opened.problem, code ?? '') });
        return;
      }
      this.#program.engine.nudge();
      void this.#look((state) => {
        if (step.isToTurnOn && isOffIn(state)) this.#beginTurningOn(state);
        else this.#overview(state, 'This device is unlocked.');
      });
    });
  }

  /** Asks the server; if it demands a confirmation first, continues after that. */
  async #ask(question: Question, then: () => void): Promise<void> {
    this.#isBusy = true;
    this.refresh();
    const answer = await question();
    this.#program.act(() => {
      this.#isBusy = false;
      if (answer.ok) then();
      else if (answer.problem.type === 'unconfirmed') {
        this.#waiting = () => this.#ask(question, then);
        this.#show({ type: 'confirm', wantsCode: false, error: null });
      } else this.#show({ type: 'problem', text: turnWords(answer.problem) });
    });
  }

  async #confirm({ password = '', code = '' }: FormValues): Promise<void> {
    this.#isBusy = true;
    this.refresh();
    const port: SafetyPort | null = await this.#program.platform.account
      .safety()
      .then((safety) => ('type' in safety ? null : safety));
    const outcome = password === '' ? EMPTY : await port?.confirm(password, code);
    const goOn = this.#program.act(() => {
      this.#isBusy = false;
      if (outcome?.ok === true) {
        const waiting = this.#waiting;
        this.#waiting = null;
        return waiting;
      }
      const wantsCode = outcome?.problem.type === 'code' || code !== '';
      this.#show({ type: 'confirm', wantsCode, error: outcome?.problem.message ?? UNLOADED });
      return null;
    });
    await goOn?.();
  }

  async #copy(): Promise<void> {
    const said = await copyCode(this.#program, this.#code);
    this.#program.act(() => {
      if (this.#step.type === 'code') this.#show(this.#codeStep(said));
    });
  }
}
