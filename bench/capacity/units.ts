// What one of each kind of work costs a node and the database, as measured (measure.ts).

/** Milliseconds of a processor, bytes, and rows. */
export interface Cost {
  readonly nodeMs: number;
  readonly databaseMs: number;
  /** Sent to people, headers included. */
  readonly bytesOut: number;
}

export interface Units {
  /** One push with one operation, and each further operation in it. */
  readonly push: Cost;
  readonly operation: Cost;
  /** One change told to one socket. */
  readonly delta: Cost;
  /** An app that opens: it asks for news and opens a socket. */
  readonly sync: Cost;
  /** A thousand rows read by a new device. */
  readonly thousandRows: Cost;
  /** A request of a program. */
  readonly request: Cost;
  /** A reminder sent to a browser's push service: encrypted and signed. */
  readonly reminder: Cost;
  readonly mailIn: Cost;
  readonly mailOut: Cost;
  /** Kilobytes of a node's memory for one open socket. */
  readonly socketKb: number;
  /** Megabytes of a node without any. */
  readonly nodeMb: number;
  /** Bytes that an operation leaves in the database for good: its part of the row, indexes, and ninety days of history. */
  readonly operationBytes: number;
}
