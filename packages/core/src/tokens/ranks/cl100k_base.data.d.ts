/** Base64: the number of tokens (4 bytes, little endian), the length of each token in rank order, the tokens' bytes. */
export const ranks: string;
