// What programs and mail write into a sealed scope: checked while it can be read, then sealed to the inbox of the scope before it is written
// anywhere. The first device with the keys brings it into the form of the scope.
import { randomFillSync } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import { isEntityType } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { createInboxSealer, type InboxSealer } from '#core/sealing/inbox.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { registersIn, sealOperationForInbox, type SentOperation } from '#sync/sealing/sealed-operation.ts';
import { sealsIn } from '#sync/sealing/scope-state.ts';
import { sealedChecks } from '#sync/sealing/sealed-checks.ts';
import { registerChecks } from '#wire/registers.ts';
import type { ScopeRecord, WriteTransaction } from '../data/store.ts';
import { headOfDirectory } from './stepping.ts';
import type { ScopeLookedAt } from './pushed-form.ts';

/** A scope that is written, and what is known of its rows. */
export interface InboxScope {
  readonly before: ScopeRecord;
  readonly set: ScopeLookedAt['set'];
}

/** Seals for the inboxes of one transaction: what one transaction writes to a scope has one ephemeral key. */
export class Inboxes {
  readonly #tx: Pick<WriteTransaction, 'sealing'>;
  readonly #sealers = new Map<Id, InboxSealer | null>();

  constructor(tx: Pick<WriteTransaction, 'sealing'>) {
    this.#tx = tx;
  }

  /**
   * The operation as the scope may hold it. `invalid`: its content can't be saved in any scope. What can't be sealed stays as it is, and is
   * refused as content that isn't: names that only the keys can hide, rows nobody knows, an inbox that no device has opened yet.
   */
  async sealed(
    { before, set }: InboxScope,
    operation: Operation,
    device: number,
  ): Promise<Result<Operation, 'invalid'>> {
    const { sealing } = before;
    if (sealing === undefined || !sealsIn(sealing)) return ok(operation);
    const isNew = operation.a === 'create';
    const type = isNew ? operation.type : set.row(operation.id)?.type;
    if (type === undefined || !isEntityType(type)) return ok(operation);
    const registers = registersIn(operation as unknown as SentOperation, type);
    // What is copied within the scope is sealed already.
    const isWrong = registers.some(
      ({ name, value }) => !isEnvelope(value) && registerChecks.register(type, name, value ?? null) !== null,
    );
    // A visitor of an encrypted list has sealed what they write.
    const checks = isNew && Object.values(operation.fields).some(isEnvelope) ? sealedChecks : registerChecks;
    if (isWrong || (isNew && checks.creation(type, operation.fields) !== null)) return failed('invalid');
    const seal = await this.#sealer(before);
    if (seal === null) return ok(operation);
    const sealed = sealOperationForInbox({ seal, writer: { device, seq: operation.q } }, operation, type);
    return ok(sealed.ok ? sealed.value : operation);
  }

  async #sealer({ id: scope, owner: account, sealing }: ScopeRecord): Promise<InboxSealer | null> {
    const known = this.#sealers.get(scope);
    if (known !== undefined) return known;
    const { directory } = await this.#tx.sealing(scope);
    const head = directory === null ? null : headOfDirectory(directory.body);
    const isOfNow = head !== null && head.state.generation === sealing?.generation;
    const sealer =
      isOfNow && head.inbox !== null
        ? createInboxSealer(
            { account, scope, generation: head.state.generation, publicKey: head.inbox },
            (bytes) => void randomFillSync(bytes),
          )
        : null;
    this.#sealers.set(scope, sealer);
    return sealer;
  }
}
