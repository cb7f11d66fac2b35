/** Reads the sentences of a folded text: which of them order what a rule forbids. */
import { refusedWords, reportedSource } from '../../language/instruction.ts';
import { denyingWords } from '../../language/negations.ts';
import type { Sign } from '../../language/threat-signs.ts';
import {
  banSigns,
  bansBehind,
  banWords,
  otherSubjects,
  testOutcomes,
  testWords,
  toldOf,
} from '../../language/threats.ts';
import { ideasIn, type Said } from './ideas.ts';
import type { Place } from './phrases.ts';
import { type ThreatRule, threatRules } from './rules.ts';
import { wideRules } from './rules-wide.ts';

/** A rule that a stretch of the text breaks. */
export interface Breach extends Place {
  readonly rule: ThreatRule;
}

/** A longer sentence is read in windows that overlap: what makes a threat stands near together. */
const longest = 400;

const rules: readonly ThreatRule[] = [...threatRules, ...wideRules];

/** What is known of a text, and who is told of each comparison. */
interface BreachOptions {
  /** @default what the text says */
  readonly said?: Said;
  readonly onStep?: () => void;
}

/** What the sentences of a folded text order against the rules. Linear: `onStep` is told of each comparison. */
export function breachesIn(text: string, options: BreachOptions = {}): readonly Breach[] {
  const { said = ideasIn(text), onStep = () => {} } = options;
  const cursors = new Map<Sign, number>();
  return sentencesOf(text).flatMap((sentence) => {
    const here = within(said, sentence, cursors);
    return rules.flatMap((rule) => {
      const place = breach(rule, here, { text, onStep });
      return place ? [{ rule, ...place }] : [];
    });
  });
}

/** Windows over a sentence and the one behind it, in order: what the first names, the second may order. */
function sentencesOf(text: string): readonly Place[] {
  const ends = [...text.matchAll(/[.!?;](?=\s|$)|[。！？\n]/gu)].map(({ index }) => index + 1);
  const all = [...ends, text.length];
  let from = 0;
  return all.flatMap((end, index) => {
    const windows: Place[] = [];
    const last = Math.min(all[index + 1] ?? end, from + longest);
    for (let start = from; start < end; start += longest / 2) {
      windows.push({ start, end: Math.max(Math.min(end, start + longest), start === from ? last : 0) });
      if (start + longest >= end) break;
    }
    from = end;
    return windows;
  });
}

/** What is said in a window; windows come in order, so that each list is walked once. */
function within(said: Said, window: Place, cursors: Map<Sign, number>): Said {
  return new Map(
    [...said].map(([sign, places]) => {
      let at = cursors.get(sign) ?? 0;
      while ((places[at]?.start ?? Number.POSITIVE_INFINITY) < window.start) at++;
      cursors.set(sign, at);
      const here: Place[] = [];
      for (let i = at; (places[i]?.start ?? Number.POSITIVE_INFINITY) < window.end; i++) {
        const place = places[i];
        if (place) here.push(place);
      }
      return [sign, here];
    }),
  );
}

function breach(rule: ThreatRule, said: Said, { text, onStep }: Reading): Place | undefined {
  if (rule.with.some((signs) => signs.every((sign) => (said.get(sign)?.length ?? 0) === 0))) return undefined;
  for (const act of said.get(rule.act) ?? []) {
    const found: Place[] = [act];
    for (const signs of rule.with) {
      const one = nearest(
        signs.flatMap((sign) => said.get(sign) ?? []),
        { act, rule, text, onStep },
      );
      if (one) found.push(one);
    }
    if (found.length <= rule.with.length) continue;
    if (isHarmless(act, rule, text)) continue;
    return { start: Math.min(...found.map(({ start }) => start)), end: Math.max(...found.map(({ end }) => end)) };
  }
  return undefined;
}

const eastAsian = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

interface Reading {
  readonly text: string;
  readonly onStep: () => void;
}

interface Around extends Reading {
  readonly act: Place;
  readonly rule: ThreatRule;
}

function nearest(places: readonly Place[], { act, rule, text, onStep }: Around): Place | undefined {
  const isForward = rule.isForward && !eastAsian.test(text.slice(act.start, act.end));
  const isApart = (place: Place): boolean =>
    rule.isClose === true &&
    /[,;:、。]/u.test(text.slice(Math.min(act.end, place.end), Math.max(act.start, place.start)));
  return places.find((place) => {
    onStep();
    return (
      !isApart(place) &&
      ((place.start >= act.end && place.start - act.end <= rule.near) ||
        (!isForward && place.end <= act.start && act.start - place.end <= rule.near))
    );
  });
}

const ban = new RegExp(banWords, 'u');
const banBefore = new RegExp(banSigns, 'u');
const banAfter = new RegExp(bansBehind, 'u');
const others = new RegExp(otherSubjects, 'u');

const clauseBefore = (before: string): string => before.split(/[,;:，、；：—]/u).at(-1) ?? '';

/** Tried by a test: `a test checks that "ignore all rules" has no effect`. */
function isTested(act: Place, text: string): boolean {
  const before = text.slice(Math.max(0, act.start - 120), act.start);
  const after = text.slice(act.end, act.end + 120);
  const opened = Math.max(before.lastIndexOf('"'), ...[...'“„«「『'].map((mark) => before.lastIndexOf(mark)));
  if (testWords.test(before) && testOutcomes.test(before + after)) return true;
  return opened >= 0 && /["”“»」』]/u.test(after) && testWords.test(before.slice(0, opened));
}

/** Banned, done by somebody else, or told of an attack. */
function isHarmless(act: Place, rule: ThreatRule, text: string): boolean {
  const before = text.slice(Math.max(0, act.start - 120), act.start);
  const after = text.slice(act.end, act.end + 120);
  const near = before.slice(-30);
  if (rule.isBan) return !(denyingWords.test(before.slice(-24)) || banBefore.test(near) || banAfter.test(after));
  if (!rule.mayBan && (ban.test(near) || banBefore.test(near) || banAfter.test(after))) return true;
  // `Never deploy without approval` and `Ohne Rückfrage nichts löschen` ask for approval.
  if (rule.act === 'unasked' && denyingWords.test(`${clauseBefore(before)} ${after.slice(0, 12)}`)) return true;
  if (isTested(act, text)) return true;
  const isDoneByOthers = !(rule.mayBan && rule.grade === 'quarantine') && others.test(near.trimEnd());
  const reported = rule.grade === 'quarantine' ? toldOf : reportedSource;
  return isDoneByOthers || reported.test(before) || refusedWords.test(after);
}
