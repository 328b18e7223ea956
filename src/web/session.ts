// Runs the app on the current profile while this tab has its turn: opens the copy, draws it, and starts again when the
// profile changes (signing up, in or out, another account). Not here: what anything looks like, and whose turn it is.
import { createElement } from 'react';
import type { Root } from 'react-dom/client';
import { must } from '#core/assert.ts';
import type { App } from '#client/app/app.ts';
import { createApp } from '#client/app/create-app.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { openCopy } from './copy.ts';
import { createDeviceState, type DeviceState } from './platform/account/device-port.ts';
import { listenToKeys } from './platform/input/key-events.ts';
import { followHistory } from './platform/history.ts';
import { leaveWhenGone, takeLeft } from './platform/storage/unload-handover.ts';
import { smallStorage } from './platform/storage/local-storage.ts';
import { watchMoments } from './platform/moments.ts';
import { createAccounts, createNetwork } from './platform/account/network.ts';
import { answerNotices } from './platform/notices-port.ts';
import { createPlatform } from './platform/platform.ts';
import {
  type AccountBinding,
  accountProfile,
  adoptedBy,
  boundProfile,
  formerProfile,
  localProfile,
  type Profile,
  type ProfileStore,
  settledProfile,
} from './platform/account/profile.ts';
import { createSentinel } from './platform/storage/eviction-check.ts';
import { createGate, type Gate } from './platform/account/session-gate.ts';
import { watchWidth } from './platform/width.ts';
import { makeUnsaved, type Unsaved } from './platform/storage/unsaved.ts';
import { loadWhenIdle, newId, pause } from './platform/world.ts';
import { Frame } from './views/frame.tsx';
import { flushSync } from 'react-dom';

export interface Session {
  /** Writes everything and stops. What the disk did not take is given back; null when it took everything. */
  close(): Promise<Unsaved | null>;
}

interface SessionPorts {
  readonly root: Root;
  readonly profiles: ProfileStore;
  /** Called with every app that starts running. */
  readonly onApp: (app: App) => void;
  /** A newer version, or a tab that cannot be seen, works on the data now: this session must be closed. */
  readonly onTaken: (isNewer: boolean) => void;
}

interface Running {
  readonly profile: Profile;
  readonly app: App;
  readonly isVolatile: boolean;
  stop(): Promise<void>;
}

/** A copy in memory alone has nothing of a page before. */
const nothingLeft = { taken: Promise.resolve(), stop: () => undefined };

const ACTIONS_AT_ONCE = 500;

function issueAll(engine: Engine, actions: readonly Action[]): void {
  for (let at = 0; at < actions.length; at += ACTIONS_AT_ONCE)
    engine.replica.issue(actions.slice(at, at + ACTIONS_AT_ONCE));
}

/** Needed once in the life of a profile: no part of the first load. */
const loadAdoption = () => import('./platform/storage/adoption.ts');

/** Only tabs that could not write need it. */
const loadRescue = () => import('./platform/storage/rescue.ts');

/** Takes what other tabs could not write, from when the app is idle on; they offer it until then. The returned function stops it. */
function takesOver(engine: Engine, profile: Profile): () => void {
  let stop = (): void => undefined;
  const end = loadWhenIdle(loadRescue, ({ takeUnsaved }) => {
    stop = takeUnsaved(profile.id, (unsaved) => makeUnsaved(engine, unsaved));
  });
  return () => {
    end();
    stop();
  };
}

/** What an account on this device must take in before anything else is done. */
async function finishAdoption(engine: Engine, profile: Profile, profiles: ProfileStore): Promise<void> {
  if (!profile.adopts) return;
  await engine.loaded();
  const { adopt, forget } = await loadAdoption();
  await adopt(engine, profile.adopts);
  profiles.save({ ...profile, adopts: null });
  await forget(profile.adopts);
  createSentinel(smallStorage, profile.adopts.id).forget();
}

export async function startSession(ports: SessionPorts): Promise<Session> {
  const session = new RunningSession(ports);
  await session.start();
  return session;
}

class RunningSession implements Session {
  readonly #ports: SessionPorts;
  readonly #device: DeviceState;
  #changing: Promise<void> = Promise.resolve();
  #current: Running | null = null;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#device = createDeviceState(smallStorage, ports.profiles);
  }

  get #running(): Running {
    return must(this.#current, 'a session runs an app');
  }

  async start(): Promise<void> {
    const { profiles } = this.#ports;
    const held = profiles.load();
    const profile = settledProfile(held, Date.now(), newId);
    if (profile !== held) profiles.save(profile);
    this.#current = await this.#run(profile);
    loadWhenIdle(
      () => import('./after-start.ts'),
      ({ afterStart }) => afterStart(this.#device, this.#running.isVolatile),
    );
  }

  /** `carry`: what the new profile takes in from memory, where there is no disk to carry it over. */
  async #run(profile: Profile, carry: readonly Action[] = []): Promise<Running> {
    const gate = createGate(this.#ports.profiles, profile.id);
    const transport = profile.binding ? gate.guard(createNetwork(profile.binding.account)) : null;
    const copy = await openCopy({ profile, transport, device: this.#device, onTaken: this.#ports.onTaken });
    const { engine, isVolatile, leads } = copy;
    if (!isVolatile && leads) await finishAdoption(engine, profile, this.#ports.profiles);
    issueAll(engine, carry);
    const account = createAccounts({
      binding: profile.binding,
      gate,
      // A tab beside others finds the doubt of the one that is just signing in.
      isSessionInDoubt: leads && this.#ports.profiles.isSessionInDoubt(),
      onBound: (binding) => this.#bind(profile, binding, gate),
      onOther: (binding) => this.#switchTo(profile, binding, gate),
      onLeft: () => this.#leave(profile),
      onErased: (until) => this.#stayHere(profile, until),
    });
    const left = isVolatile
      ? nothingLeft
      : takeLeft(smallStorage, profile.id, (unsaved) => makeUnsaved(engine, unsaved));
    const app = createApp({ engine, platform: createPlatform(account, this.#device, () => left.taken) });
    const stopWidth = watchWidth(app);
    // Another account or none: another app, also where the copy is the same.
    const key = `${profile.id} ${profile.binding?.account ?? 0}`;
    // At once, with its subscriptions: a key in this very moment would be drawn too late for the next one.
    flushSync(() => this.#ports.root.render(createElement(Frame, { app, key })));
    const stops = [
      stopWidth,
      followHistory(app, Date.now()),
      listenToKeys(app),
      answerNotices(app),
      watchMoments(app, () => copy.probe()),
      leads ? takesOver(engine, profile) : () => undefined,
      ...(isVolatile ? [] : [leaveWhenGone(app, smallStorage, profile.id)]),
      () => left.stop(),
      this.#ports.profiles.onOther(() => this.#follow(profile, gate)),
    ];
    this.#ports.onApp(app);
    return {
      profile,
      app,
      isVolatile,
      async stop() {
        for (const stop of stops) stop();
        await app.close();
        copy.stop();
      },
    };
  }

  /** Another tab signed up, in or out: this one goes along. */
  #follow(profile: Profile, gate: Gate): void {
    const next = this.#ports.profiles.load();
    if (next.id === profile.id && (next.binding === null) === (profile.binding === null)) {
      // The same account again: its session had ended.
      gate.open();
      this.#running.app.engine.nudge();
      return;
    }
    if (this.#running.profile !== profile) return;
    if (next.id === profile.id) {
      // The same copy, which has got or lost its account.
      this.#change(() => Promise.resolve(next));
      return;
    }
    const { engine } = this.#running.app;
    const { scope } = engine.replica;
    this.#change(async () => {
      const operations = engine.unsaved();
      if (operations.length === 0) return next;
      const { handOn } = await loadRescue();
      await handOn({ profile, next, scope, operations }, this.#device);
      return next;
    });
  }

  /** The app is replaced after the call that asked for it has been answered. */
  #change(next: () => Promise<Profile>, takeAlong = async (): Promise<readonly Action[]> => []): void {
    const exchange = async (before: Promise<void>): Promise<void> => {
      await before;
      // The call is answered in this turn, and what it says belongs to the app that comes.
      await pause(0);
      const carry = await takeAlong();
      const handover = this.#running.app.handOver();
      await this.#running.stop();
      this.#current = await this.#run(await next(), carry);
      this.#running.app.takeOver(handover);
    };
    this.#changing = exchange(this.#changing);
  }

  #bind(profile: Profile, binding: AccountBinding, gate: Gate): void {
    if (profile.binding) {
      // The same account again: its session had ended.
      this.#ports.profiles.save({ ...profile, binding });
      gate.open();
      this.#running.app.engine.nudge();
      return;
    }
    if (profile.former?.account === binding.account && !this.#running.isVolatile) {
      // Its own account again: the copy goes on where it was, and what was done meanwhile is sent.
      const again: Profile = { ...profile, binding, former: null };
      this.#ports.profiles.save(again);
      this.#change(() => Promise.resolve(again));
      return;
    }
    const adopts = adoptedBy(profile);
    const kept = this.#resume(binding);
    const bound = kept ? { ...kept, adopts } : boundProfile(profile, binding, newId);
    if (this.#running.isVolatile) {
      const { replica } = this.#running.app.engine;
      const carried = { ...bound, adopts: null };
      this.#ports.profiles.save(carried);
      const takeAlong = async () => {
        const { adoptionOf } = await loadAdoption();
        const isAnew = profile.former !== null && profile.former.account !== binding.account;
        return adoptionOf(replica, binding.scope, isAnew);
      };
      this.#change(() => Promise.resolve(carried), takeAlong);
      return;
    }
    this.#ports.profiles.save(bound);
    this.#change(() => Promise.resolve(bound));
  }

  /** The copy of this account that was kept here, if there is one; it is current from now on. */
  #resume(binding: AccountBinding): Profile | null {
    const found = this.#ports.profiles
      .kept()
      .find(({ profile }) => profile.binding?.account === binding.account);
    if (!found) return null;
    this.#ports.profiles.release(found.profile.id);
    return { ...found.profile, binding };
  }

  /** Another account's turn. This profile keeps its copy and its queue until its own account signs in again. */
  #switchTo(profile: Profile, binding: AccountBinding, gate: Gate): void {
    // What is only in memory cannot be kept; the question said so.
    if (!this.#running.isVolatile)
      this.#ports.profiles.keep(profile, this.#running.app.engine.facts().pending.length);
    const next = this.#resume(binding) ?? accountProfile(binding, newId);
    this.#ports.profiles.save(next);
    this.#change(() => {
      gate.settle();
      return Promise.resolve(next);
    });
  }

  /** The account is erased soon: this copy stays, without it. */
  #stayHere(profile: Profile, until: number): void {
    const { replica } = this.#running.app.engine;
    if (this.#running.isVolatile) {
      // What is only in memory has to be carried over.
      const own = { ...localProfile(newId), former: formerProfile(profile, until).former };
      this.#ports.profiles.save(own);
      this.#change(
        () => Promise.resolve(own),
        async () => (await loadAdoption()).adoptionOf(replica, own.localScope),
      );
      return;
    }
    const own = formerProfile(profile, until);
    this.#ports.profiles.save(own);
    this.#change(async () => {
      const { keepFormerHere } = await import('./platform/account/keep-former.ts');
      const account = profile.binding?.account ?? 0;
      // Without their content the tasks are still there.
      await keepFormerHere({ account, scope: own.localScope }, replica.all()).catch((error: unknown) =>
        console.warn('Attached files may have to be fetched again.', error),
      );
      return own;
    });
  }

  #leave(profile: Profile): void {
    const fresh = localProfile(newId);
    this.#ports.profiles.save(fresh);
    this.#change(async () => {
      await (await loadAdoption()).forget(profile);
      createSentinel(smallStorage, profile.id).forget();
      return fresh;
    });
  }

  async close(): Promise<Unsaved | null> {
    await this.#changing;
    const { app, profile } = this.#running;
    await this.#running.stop();
    const operations = app.engine.unsaved();
    if (operations.length === 0) return null;
    return { profile: profile.id, scope: app.engine.replica.scope, operations };
  }
}
