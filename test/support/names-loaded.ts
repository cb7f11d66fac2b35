/** Which files a process loads. */

/** Writes the names of the files that were loaded to standard error, a line each, when the process ends. */
export const namesLoaded: string = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  process.on('exit', () => writeSync(2, urls.filter((url) => url.startsWith('file:')).join('\\n')));
`)}`;
