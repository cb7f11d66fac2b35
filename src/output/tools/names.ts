/** What the tools over saved results are called, and how large their answers are. */

export const readOutputName = 'read_output';
export const searchOutputName = 'search_output';

/** True for a tool of ours. */
export const isOwnTool = (name: string): boolean => name === readOutputName || name === searchOutputName;

/** The largest that an answer is beside the page in it. */
export const pageFrameChars = 2_000;
