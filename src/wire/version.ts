// The version of the replication protocol, apart from its shapes (sync.ts): a device names it before it needs them.
// Protocol version: the one constant below, with its history.
//   1  first version
//   2  edits of notes merge (`note`); a restored server gets back what only devices still hold (`rollback`, `stood`,
//      `reoffer`, verdict `parked`)
//   3  completing a repeating task opens what is complete beneath it (`anew`); one occurrence can differ from its series
//      (`series`, and what of it goes with an advance); a rule remembers a time of day (`anchorTime`)
//   4  a push says when it was sent, by the server's clock (`sentAt`)
//   5  a device keeps rows of types that it does not know, and takes a verdict that it does not know for a refusal. Earlier
//      ones refuse the whole answer, so a server has to be able to tell: a scope with such rows asks for 5 (`min_schema`).
//      What a server can do besides is said by name (features.ts) and needs no new number.
//   6  a device holds several scopes: a row says how often it changed its scope (`h`), the changes of a scope name what
//      moved away from it (`moved`), and an answer tells scopes that the server does not know (`unknown`) from those that
//      the account has left
//   7  lists are shared: a person's own scope says where a shared list stands (`mount`), its scope who belongs to it (`member`).
//      A device of an earlier version would show such a list nowhere, so a shared scope asks for 7 (`min_schema`).
//   8  a scope may be sealed: registers hold envelopes, a push says how its content is sealed (`sealed`), and an answer tells the
//      state (`sealing`) and asks for the same operations in another form (`reseal`). A device of an earlier version would show
//      envelopes and send plain values, so a scope that was ever on the way to it asks for 8 (`min_schema`).

/**
 * Version of the replication protocol, sent as `schema` with every push. A server refuses newer versions and upcasts
 * older ones.
 */
export const protocolVersion = 8;
