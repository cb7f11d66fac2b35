/** Version 2: the index over all messages. */
import { searchSchema } from '../index/search-tables.ts';

export const search: string = searchSchema;
