/** Reads the sentences of a folded text: which of them order what a rule forbids. */
import { refusedWords, reportedSource } from '../../language/instruction.ts';
import { denyingWords } from '../../language/negations.ts';
import type { Sign } from '../../language/threat-signs.ts';
import { banSigns, bansBehind, banWords, otherSubjects } from '../../language/threats.ts';
import { ideasIn, type Place, type Said } from './ideas.ts';
import { type ThreatRule, threatRules } from './rules.ts';

/** A rule that a stretch of the text breaks. */
export interface Breach extends Place {
  readonly rule: ThreatRule;
}

/** A longer sentence is read in windows that overlap: what makes a threat stands near together. */
const longest = 400;

/** What the sentences of a folded text order against the rules. Linear. */
export function breachesIn(text: string): readonly Breach[] {
  const said = ideasIn(text);
  const cursors = new Map<Sign, number>();
  return sentencesOf(text).flatMap((sentence) => {
    const here = within(said, sentence, cursors);
    return threatRules.flatMap((rule) => {
      const place = breach(rule, here, text);
      return place ? [{ rule, ...place }] : [];
    });
  });
}

/** Windows of sentences, in order. */
function sentencesOf(text: string): readonly Place[] {
  const ends = [...text.matchAll(/[.!?;](?=\s|$)|[。！？\n]/gu)].map(({ index }) => index + 1);
  let from = 0;
  return [...ends, text.length].flatMap((end) => {
    const windows: Place[] = [];
    for (let start = from; start < end; start += longest / 2) {
      windows.push({ start, end: Math.min(end, start + longest) });
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

function breach(rule: ThreatRule, said: Said, text: string): Place | undefined {
  for (const act of said.get(rule.act) ?? []) {
    const found: Place[] = [act];
    for (const signs of rule.with) {
      const one = nearest(
        signs.flatMap((sign) => said.get(sign) ?? []),
        { act, rule, text },
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

interface Around {
  readonly act: Place;
  readonly rule: ThreatRule;
  readonly text: string;
}

function nearest(places: readonly Place[], { act, rule, text }: Around): Place | undefined {
  const isForward = rule.isForward && !eastAsian.test(text.slice(act.start, act.end));
  return places.find(
    (place) =>
      (place.start >= act.end && place.start - act.end <= rule.near) ||
      (!isForward && place.end <= act.start && act.start - place.end <= rule.near),
  );
}

const ban = new RegExp(banWords, 'u');
const banBefore = new RegExp(banSigns, 'u');
const banAfter = new RegExp(bansBehind, 'u');
const others = new RegExp(otherSubjects, 'u');

/** Banned, done by somebody else, or told of an attack. */
function isHarmless(act: Place, rule: ThreatRule, text: string): boolean {
  const before = text.slice(Math.max(0, act.start - 120), act.start);
  const after = text.slice(act.end, act.end + 120);
  const near = before.slice(-30);
  if (!rule.mayBan && (ban.test(near) || banBefore.test(near) || banAfter.test(after))) return true;
  // `Never deploy without approval` asks for approval.
  if (rule.act === 'unasked' && denyingWords.test(before)) return true;
  return others.test(near.trimEnd()) || reportedSource.test(before) || refusedWords.test(after);
}
