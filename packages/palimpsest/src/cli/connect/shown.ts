/** How a value of somebody's settings is shown: without the password of an address, and without a key. */
import { redact } from '@palimpsest/core';

/** The value itself, where another writer quotes it. */
export const masked = (value: string): string => redact(value.replace(/\/\/[^/@]*@/, '//[hidden]@'));

/** In quotes. */
export const shown = (value: string): string => JSON.stringify(masked(value));
