/** The worker of `search_files`: a pattern that never ends is ended with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { type SearchOrder, searchFiles } from './walk-files.ts';

// Handed over by search-files.ts and by nobody else.
searchFiles(workerData as SearchOrder, (event) => parentPort?.postMessage(event));
