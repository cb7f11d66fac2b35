/** Finds tools by words: in their names, what they say of themselves, and their parameters. */
import type { EngineTool } from '../../context/engine.ts';
import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import { nearest } from '../../shared/options/schema.ts';
import { scanTerms } from '../../store/terms/scan.ts';

/** The tools that a model is not shown, for whoever looks for one. */
export interface ToolFinder {
  /** Those that fit the words best, the best one first; the tool of that very name alone. @param limit 5 unless it is given */
  search(words: string, limit?: number): readonly EngineTool[];
  /** The tool of a name; undefined for none of these. */
  resolve(name: string): EngineTool | undefined;
  /** The name that is most like another one; undefined where none is. */
  nearest(name: string): string | undefined;
}

/** What is known of a tool: how much each term says of it. */
interface Indexed {
  readonly tool: EngineTool;
  readonly weights: ReadonlyMap<string, number>;
}

/** A word of its name says more of a tool than one of what it says of itself, and that more than one of a parameter. */
const weightOf = { name: 4, description: 2, parameters: 1 } as const;

/** A finder over tools of distinct names. */
export function createFinder(tools: readonly EngineTool[]): ToolFinder {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const all = tools.map(indexed);
  const known = new Map<string, number>();
  for (const { weights } of all) for (const term of weights.keys()) known.set(term, (known.get(term) ?? 0) + 1);
  return {
    search(words, limit = 5) {
      const exact = byName.get(words.trim());
      if (exact) return [exact];
      const wanted = [...termsIn(words)];
      const scored = all.map(({ tool, weights }, at) => ({
        tool,
        at,
        // A word that every tool has tells none from another.
        score: wanted.reduce(
          (sum, term) => sum + (weights.get(term) ?? 0) * Math.log(1 + all.length / (known.get(term) ?? 1)),
          0,
        ),
      }));
      const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.at - b.at);
      return found.slice(0, Math.max(1, limit)).map(({ tool }) => tool);
    },
    resolve: (name) => byName.get(name),
    nearest: (name) => nearest(name, [...byName.keys()]),
  };
}

function indexed(tool: EngineTool): Indexed {
  const weights = new Map<string, number>();
  const take = (text: string, weight: number): void => {
    for (const term of termsIn(text)) weights.set(term, (weights.get(term) ?? 0) + weight);
  };
  take(tool.name, weightOf.name);
  take(tool.description, weightOf.description);
  take(wordsOfSchema(tool.parameters).join('\n'), weightOf.parameters);
  return { tool, weights };
}

/** Each term once, also those of the parts of `readFile` and `read_file`. */
function termsIn(text: string): ReadonlySet<string> {
  const parts = text.replaceAll(/(?<=[a-z\d])(?=[A-Z])|[_-]+/g, ' ');
  return new Set(scanTerms(parts.normalize()).terms);
}

/** Names of parameters, and what is said of them. */
function wordsOfSchema(schema: JsonValue | undefined, depth = 0): readonly string[] {
  if (!isJsonObject(schema) || depth > 6) return [];
  const { properties, description } = schema;
  const own = typeof description === 'string' && depth > 0 ? [description] : [];
  const members = isJsonObject(properties) ? Object.entries(properties) : [];
  return [
    ...own,
    ...members.flatMap(([name, member]) => [name, ...wordsOfSchema(member, depth + 1)]),
    ...wordsOfSchema(schema.items, depth + 1),
  ];
}
