/** Every name that the package exports. Adding one is a promise, removing one breaks somebody: change this list knowingly. */
export const publicNamesExpected: readonly string[] = [];
