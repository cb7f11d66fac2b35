import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { screenOf } from '../../packages/palimpsest/src/terminal/screen.ts';

const terminal = { isTTY: true, columns: 100 };
const pipe = {};

describe('what a screen can show', () => {
  it('has colours on a terminal only, and as the environment and the flag say', () => {
    const colour = (env: Record<string, string>, stream: object = terminal, colourWanted = true): boolean =>
      screenOf({ stream, env, colourWanted }).colour;
    assert.equal(colour({}), true);
    assert.equal(colour({}, pipe), false);
    assert.equal(colour({ NO_COLOR: '1' }), false);
    assert.equal(colour({ NO_COLOR: '' }), true);
    assert.equal(colour({ TERM: 'dumb' }), false);
    assert.equal(colour({ FORCE_COLOR: '1' }, pipe), true);
    assert.equal(colour({ FORCE_COLOR: '0' }), false);
    assert.equal(colour({ FORCE_COLOR: '1' }, terminal, false), false);
  });

  it('falls back to ASCII where the locale names another character set', () => {
    const unicode = (env: Record<string, string>): boolean =>
      screenOf({ stream: pipe, env, colourWanted: true }).unicode;
    assert.equal(unicode({}), true);
    assert.equal(unicode({ LANG: 'en_US.UTF-8' }), true);
    assert.equal(unicode({ LANG: 'C.utf8' }), true);
    assert.equal(unicode({ LANG: 'C' }), false);
    assert.equal(unicode({ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }), false);
    assert.equal(unicode({ LANG: 'en_US.UTF-8', TERM: 'linux' }), false);
  });

  it('takes the width of the terminal within reason', () => {
    const columns = (stream: object, env = {}): number => screenOf({ stream, env, colourWanted: true }).columns;
    assert.equal(columns(terminal), 100);
    assert.equal(columns(pipe), 80);
    assert.equal(columns(pipe, { COLUMNS: '90' }), 90);
    assert.equal(columns({ columns: 10 }), 40);
    assert.equal(columns({ columns: 500 }), 120);
  });
});
