// What the capacity page assumes of people and of prices. Nobody was counted for it: whoever runs a server puts their own figures here.

/** How an account spends its day. Shares are of all accounts, unless they say otherwise. */
export interface People {
  /** Accounts that are opened on a day. */
  readonly active: number;
  /** Of the active ones: those who leave the app open all day. The others look in several times. */
  readonly keepOpen: number;
  /** Hours that an app which is left open stays so. */
  readonly openHours: readonly [least: number, most: number];
  /** Visits a day of those who look in, and minutes of each. */
  readonly visits: number;
  readonly visitMinutes: number;
  /** Operations a day of an active account: the middle one, and the spread (sigma of the logarithm). */
  readonly operations: { readonly median: number; readonly spread: number };
  /** Operations in one push: what is typed within a moment goes together. */
  readonly operationsPerPush: number;
  /** Devices of an account that are open at once beside the one at work. */
  readonly otherDevices: number;
  /** Accounts that share lists, the share of their operations that is in such a list, and others who have it open then. */
  readonly sharing: number;
  readonly sharedOperations: number;
  readonly othersOpen: number;
  /** Rows of an account, and how often one is read in full (a new device, a browser that forgot): of the active accounts, a day. */
  readonly rows: number;
  readonly fullReads: number;
  /** Of the active accounts, a day. */
  readonly reminders: number;
  readonly mailsIn: number;
  readonly mailsOut: number;
  /** Accounts with programs at the API, and requests of each a day. */
  readonly programs: number;
  readonly programRequests: number;
  /** Files added by an active account a day, and megabytes of one. */
  readonly files: number;
  readonly fileMb: number;
  /** Where people live: hours from UTC, and how many of them. */
  readonly zones: readonly (readonly [hours: number, share: number])[];
}

/** A lively service: more than a third come every day, and each of them does more than thirty things. */
export const PEOPLE: People = {
  active: 0.35,
  keepOpen: 0.4,
  openHours: [4, 10],
  visits: 5,
  visitMinutes: 4,
  operations: { median: 20, spread: 1.1 },
  operationsPerPush: 1.3,
  otherDevices: 0.4,
  sharing: 0.15,
  sharedOperations: 0.3,
  othersOpen: 1.2,
  rows: 1_500,
  fullReads: 0.02,
  reminders: 1.5,
  mailsIn: 0.1,
  mailsOut: 0.03,
  programs: 0.02,
  programRequests: 300,
  files: 0.2,
  fileMb: 0.8,
  zones: [
    [-8, 0.15],
    [-5, 0.25],
    [1, 0.35],
    [5.5, 0.1],
    [9, 0.15],
  ],
};

/** Of a month, in US dollars, as large hosts ask for machines that are there all month. Taxes and people who look after them are not in it. */
export interface Prices {
  readonly core: number;
  readonly memoryGb: number;
  readonly diskGb: number;
  readonly objectGb: number;
  readonly trafficGb: number;
}

/** Assumed: the middle of what is asked for at the time of writing. */
export const PRICES: Prices = { core: 18, memoryGb: 2.5, diskGb: 0.12, objectGb: 0.02, trafficGb: 0.05 };

/** What one machine of a kind has at most, and what it may be used to so that it bears a bad hour. */
export const MACHINES = {
  /** A node uses one core, and a quarter of another for the system, its garbage and its hashing. */
  nodeCores: 1.25,
  nodeMemoryGb: 4,
  /** The largest database that is ordinary to rent. */
  databaseCores: 64,
  databaseMemoryGb: 512,
  databaseDiskGb: 16_000,
  /** Of its processor, at the busiest minute. */
  busiest: 0.6,
  /** Database connections of a node, and what one PostgreSQL bears without a pooler. */
  connectionsPerNode: 12,
  databaseConnections: 1_000,
  /** Nodes that one bus of PostgreSQL notices was designed for; above it Valkey carries them. */
  notices: 2_000,
} as const;
