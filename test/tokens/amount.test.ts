import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asCount,
  asEstimate,
  asUsage,
  type TokenCount,
  type TokenEstimate,
  type TokenUsage,
} from '../../packages/core/src/tokens/amount.ts';

type Fits<From, To> = From extends To ? true : false;

test('a count, an estimate and a usage are numbers that the compiler keeps apart', () => {
  const mixed: readonly [
    Fits<TokenEstimate, TokenCount>,
    Fits<TokenUsage, TokenCount>,
    Fits<TokenCount, TokenEstimate>,
    Fits<TokenUsage, TokenEstimate>,
    Fits<TokenCount, TokenUsage>,
    Fits<number, TokenCount>,
  ] = [false, false, false, false, false, false];
  assert.equal(mixed.includes(false), true);
  assert.equal(asCount(1) + asEstimate(2) + asUsage(3), 6);
});
