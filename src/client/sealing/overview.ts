// The overview in the dialog of encryption: how everything is, as the server and this device have it.
import type { DeskState } from '#sync/sealing/sealing-desk.ts';
import type { Program } from '../app/program.ts';
import { keptLists, openLists } from './lists.ts';
import type { SealingStep } from './view.ts';
import { ALL_OFF, ALL_ON, filesWords, wayWords } from './words.ts';

/** The overview. `said`: what was just done, as a sentence; null: nothing. */
export function overviewOf(
  program: Program,
  {
    state,
    said,
    knowsPasskeys,
  }: { readonly state: DeskState; readonly said: string | null; readonly knowsPasskeys: boolean },
): Extract<SealingStep, { readonly type: 'overview' }> {
  const { phase, isOpen, isOutdated, hasPassphrase, hasPasskey, filesLeft } = state;
  const isOn = phase !== 'plain' || isOutdated;
  const files = filesLeft === 0 ? null : filesWords(filesLeft, isOn);
  const isSaidByFiles = said === ALL_ON || said === ALL_OFF;
  return {
    type: 'overview',
    isOn,
    hasKeys: state.generation > 0,
    isOpen,
    isOutdated,
    hasPassphrase,
    hasPasskey,
    devices: state.devices.map(({ how, ...device }) => ({ ...device, how: wayWords(how) })),
    knowsPasskeys,
    shared: isOn ? openLists(program) : [],
    kept: keptLists(program),
    warning: null,
    said: files === null || said === null || isSaidByFiles ? (files ?? said) : `${said} ${files}`,
  };
}
