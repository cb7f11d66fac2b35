/** Official clients of services: installed by whoever uses the service, and loaded when it is named. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';

/** Loads a package that is not ours by its name. */
export type ImportPackage = (name: string) => Promise<unknown>;

/** Beside Palimpsest, else in one of these folders, which hold `node_modules`. */
export function importFrom(folders: readonly string[]): ImportPackage {
  return async (name) => {
    try {
      return await import(name);
    } catch (error) {
      for (const folder of isMissing(error, name) ? folders : []) {
        const path = resolvedIn(folder, name);
        if (path !== undefined) return await import(pathToFileURL(path).href);
      }
      throw error;
    }
  };
}

/** True for a package that is there, also where it cannot be loaded. */
export async function isInstalled(importPackage: ImportPackage, name: string): Promise<boolean> {
  try {
    await importPackage(name);
    return true;
  } catch (error) {
    return !isMissing(error, name);
  }
}

function resolvedIn(folder: string, name: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}

const isMissing = (error: unknown, name: string): boolean =>
  Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND' && String(error).includes(name);

/** A named export of a package that is a class. @throws BAD_OPTION that says how to install the package */
export async function optionalClass(
  importPackage: ImportPackage,
  name: string,
  exported: string,
): Promise<new (...args: never[]) => unknown> {
  let loaded: unknown;
  try {
    loaded = await importPackage(name);
  } catch (cause) {
    const trouble = isMissing(cause, name) ? 'is not installed' : `cannot be loaded (${String(cause).slice(0, 200)})`;
    throw new PalimpsestError('BAD_OPTION', `The package ${name} ${trouble}: npm install ${name}.`, { cause });
  }
  // Packages of CommonJS have their exports in `default` as well.
  for (const module of [loaded, Reflect.get(Object(loaded), 'default')]) {
    const found: unknown = Reflect.get(Object(module), exported);
    // A class of theirs, which the caller knows by its declarations.
    if (typeof found === 'function') return found as new (...args: never[]) => unknown;
  }
  const message = `The package ${name} has no ${exported}: install the version that this Palimpsest was tested with.`;
  throw new PalimpsestError('BAD_OPTION', message);
}
