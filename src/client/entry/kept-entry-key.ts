/** Names the preference that holds what an account typed in quick entry and did not add; 0: no account. */
export const keptEntryKey = (account: number): string => `entry.kept.${account}`;
