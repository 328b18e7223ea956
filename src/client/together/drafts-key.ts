/** Names the preference that holds the comments that an account typed and did not send. */
export const commentDraftsKey = (account: number): string => `comments.unsent.${account}`;
