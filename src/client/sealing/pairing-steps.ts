// The steps of the dialog of encryption in which the key goes from one device to another. Who confirms what, and how a question is asked
// again after a confirmation of identity, is the dialog's.
import { unreachable } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type {
  KeyAsker,
  KeyGiver,
  PairingDesk,
  PairingProblem,
  PairingState,
} from '#sync/sealing/pairing-desk.ts';
import type { Pairing } from '#wire/pairing.ts';
import type { PairingAction, SealingStep } from './view.ts';
import { ALTERED, turnWords } from './words.ts';

const LOOK_AGAIN_MS = 1_000;
const ENDED = 'The other device ended this. No key was given.';
const HERE = 'This device is unlocked.';
const GIVEN = 'The other device has the key now.';
const NOT_ASKING =
  'That isn’t the picture of a device of yours that asks for the key. Run “Get the key from another device” there, and try again.';

/** What the dialog does for its steps. */
export interface PairingHost {
  show(step: SealingStep): void;
  problem(text: string): void;
  /** The end: back to the overview with a sentence. */
  ended(said: string): void;
  /** Runs a piece of work after so many milliseconds; the result stops it. */
  after(delayMs: number, work: () => void): () => void;
  /** Runs work as something that the person sees, if the dialog is still there. */
  act(work: () => void): void;
  /** Asks the server; where it wants a confirmation of identity, asks again after that. */
  ask(question: () => Promise<Result<PairingState, PairingProblem>>, then: () => void): void;
}

/** One pairing, at either end. */
export class PairingSteps {
  readonly #desk: PairingDesk;
  readonly #host: PairingHost;
  #end: KeyAsker | KeyGiver | null = null;
  #giver: KeyGiver | null = null;
  #asker: KeyAsker | null = null;
  /** The key was given: what the other device does with it is its person's to say. */
  #isGiven = false;
  /** A picture is being read. */
  #isReading = false;
  #seen: readonly Pairing[] = [];
  #stop: (() => void) | null = null;
  #isOver = false;

  constructor(desk: PairingDesk, host: PairingHost) {
    this.#desk = desk;
    this.#host = host;
  }

  act(action: PairingAction): void {
    switch (action.action) {
      case 'choose':
        this.#choose(action.id);
        return;
      case 'same':
        this.#same();
        return;
      case 'different':
        void this.#end?.end();
        this.#over(() => this.#host.problem(ALTERED));
        return;
      case 'scan':
        this.#stop?.();
        this.#isReading = true;
        this.#host.show({ type: 'scan', error: null });
        return;
      case 'read':
        void this.#read(action.text);
        return;
      default:
        unreachable(action);
    }
  }

  /** This device asks for the key. */
  ask(): void {
    const asker = this.#desk.asker();
    this.#end = asker;
    this.#asker = asker;
    this.#host.show({ type: 'askOther', picture: asker.picture });
    void this.#follow(asker, asker.begin());
  }

  /** This device gives the key: first the person chooses to whom. */
  choose(): void {
    this.#isReading = false;
    this.#host.show({ type: 'choose', devices: null });
    void this.#lookForDevices();
  }

  #choose(id: Id): void {
    const pairing = this.#seen.find((each) => each.id === id);
    if (pairing !== undefined) this.#give(this.#desk.giver(pairing), pairing.device);
  }

  #give(giver: KeyGiver, device: string | null): void {
    if (this.#giver !== null) return;
    this.#stop?.();
    this.#end = giver;
    this.#giver = giver;
    this.#host.show({ type: 'waitForWords', device });
    void this.#follow(giver, giver.begin());
  }

  async #read(text: string): Promise<void> {
    if (!this.#isReading) return;
    this.#isReading = false;
    const found = await this.#desk.giverFor(text);
    this.#host.act(() => {
      if (this.#isOver) return;
      if (!found.ok) this.#over(() => this.#host.problem(found.problem.message));
      else if (found.value !== null) this.#give(found.value, null);
      else {
        this.#isReading = true;
        this.#host.show({ type: 'scan', error: NOT_ASKING });
      }
    });
  }

  /** The person says that both devices show the same, or this one knows it from the picture. */
  #same(): void {
    const giver = this.#giver;
    if (giver === null) {
      this.#asker?.confirm();
      return;
    }
    this.#stop?.();
    this.#host.ask(
      () => giver.give(),
      () => {
        this.#isGiven = true;
        this.#host.show({ type: 'waitForTaking' });
        this.#again(() => void this.#follow(giver, giver.look()));
      },
    );
  }

  /** The dialog is closed: what was not over is ended, so that the other device hears of it. */
  leave(): void {
    this.#stop?.();
    if (!this.#isOver && !this.#isGiven) void this.#end?.end();
    this.#isOver = true;
  }

  #over(then: () => void): void {
    this.#stop?.();
    this.#isOver = true;
    then();
  }

  async #lookForDevices(): Promise<void> {
    const waiting = await this.#desk.waiting();
    this.#host.act(() => {
      if (this.#isOver || this.#giver !== null || this.#isReading) return;
      if (!waiting.ok) {
        this.#over(() => this.#host.problem(waiting.problem.message));
        return;
      }
      this.#seen = waiting.value;
      const devices = waiting.value.map(({ id, device, startedAt }) => ({ id, name: device, at: startedAt }));
      this.#host.show({ type: 'choose', devices });
      this.#again(() => void this.#lookForDevices());
    });
  }

  async #follow(
    end: KeyAsker | KeyGiver,
    looking: Promise<Result<PairingState, PairingProblem>>,
  ): Promise<void> {
    const seen = await looking;
    this.#host.act(() => {
      if (this.#isOver) return;
      if (!seen.ok) {
        this.#over(() => this.#host.problem(turnWords(seen.problem)));
        return;
      }
      const { value: state } = seen;
      if (state.type === 'ended') this.#over(() => this.#host.problem(ENDED));
      else if (state.type === 'open') this.#over(() => this.#host.ended(this.#giver === null ? HERE : GIVEN));
      else if (state.type === 'certain') this.#same();
      else {
        if (state.type === 'compare') this.#host.show(this.#compared(state));
        this.#again(() => void this.#follow(end, end.look()));
      }
    });
  }

  #compared({ shown, isConfirmed }: Extract<PairingState, { readonly type: 'compare' }>): SealingStep {
    const { words, digits } = shown;
    return { type: 'compare', words, digits, gives: this.#giver !== null, isConfirmed };
  }

  #again(work: () => void): void {
    this.#stop = this.#host.after(LOOK_AGAIN_MS, work);
  }
}
