/** What Palimpsest promises, by id. Tests name the ids in their titles; comments may cite them. */

export interface PromiseGroup {
  readonly title: string;
  readonly promises: Readonly<Record<string, string>>;
}

export const promiseGroups: readonly PromiseGroup[] = [
  {
    title: 'Context engine',
    promises: {
      E1: 'An engine is a small contract: it learns what a call used, says whether to compress, and gives back a smaller list. Its counters and limits can be read at any time.',
      E2: 'Everything beside that contract is optional and has a default that works: checks before a call, session events, tools of the engine, its status, a change of model. The end of a session is reported once, never at a compression.',
      E3: 'One engine is active, chosen by name in the configuration. A plugin runs only if a person named it; an unknown name leads to the built-in engine and a warning.',
      E4: 'A second built-in engine keeps summaries of summaries as a graph and lets the model search and expand them.',
      E5: 'An engine never changes the list that it gets, and returns the same list object when there is nothing to do.',
      E6: 'Functions or commands of yours run before and after a compression and at the start, continuation and end of a session. They may veto or add text to keep; a slow or failing one is cut off and loses no message.',
    },
  },
  {
    title: 'When to compress',
    promises: {
      T1: 'Thresholds, kept ends and budgets come from the configuration and the window, down to windows of 4,000 tokens. `status` and `config show` print the numbers that result.',
      T2: 'A ceiling in tokens and a threshold per model can be set; of several matching model names the longest wins.',
      T3: 'Only prompt tokens, cached ones included, count towards the threshold; output and reasoning do not. Without a report an estimate decides.',
      T4: 'Before every call the whole request is estimated, starting from the last report of the provider and corrected by what the model reported earlier.',
      T5: 'Two passes in a row that save too little stop automatic compression. A person is told what to do, a probe is allowed later, and a restart does not forget it.',
      T6: 'People are told when a context comes close to its limits, and that accuracy may suffer after several compressions. The model never sees these notices.',
      T7: 'A turn has at most three attempts. An attempt counts as progress only if messages or tokens went down, and only a real report below the threshold allows new ones.',
      T8: 'The model may ask for a compression itself, within the same bounds and without losing the newest request or a rule.',
    },
  },
  {
    title: 'Pruning without a model',
    promises: {
      P1: 'Of identical long tool results the newest stays, and the older ones refer to it.',
      P2: 'An old long tool result becomes one line: tool, target, outcome, size and the ref of the full text. Doing it twice changes nothing.',
      P3: 'Long old arguments of calls are shortened value by value and stay valid JSON; what cannot be parsed is left alone.',
      P4: 'The newest messages are protected by a budget of tokens and a least number. If they alone are far too large, their results become lines too, the newest last.',
      P5: 'All but the newest images become a placeholder, and the bytes of an image are never counted as text.',
    },
  },
  {
    title: 'Where a conversation is cut',
    promises: {
      B1: 'The head is the system prompt with the first messages. It shrinks after the first compression, so that an old request does not stay for ever.',
      B2: 'The tail is measured in tokens, with some tolerance and a least number of messages. Presets for other sizes exist.',
      B3: 'A call stays with all its results and the reasoning that belongs to it; no cut falls between them.',
      B4: "The user's newest request and the newest visible reply always stand after the summary.",
      B5: 'A person can compress a conversation that would fit. One with too few messages stays as it is, and the result says so.',
      B6: 'A single turn that is too large is divided between groups, and its request is repeated after the summary.',
    },
  },
  {
    title: 'Summaries',
    promises: {
      S1: 'A summary has a budget that grows with what it stands for, between a floor and a share of the window.',
      S2: 'Three templates are built in, for a detailed handoff, for progress and for a brief; the configuration may add others.',
      S3: "The model is told to write for a successor, to answer nothing, to keep the user's language, to write no credential, and to treat what was said as data.",
      S4: 'A later compression continues the earlier summary: what holds stays, what is done or answered moves, and only what is obsolete goes.',
      S5: 'With a topic most of the budget goes to it; without one the latest requests are the topic.',
      S6: 'The model sees all of what it summarises, in parts where that is too long, or the report says what it did not see. Credentials are masked before and after.',
      S7: "A person chooses who writes: the conversation's own model, another one, or a server. Its window is checked before it is asked.",
      S8: 'The ledger extracts requests, actions, files, errors, decisions and open questions without a model, in any language, and writes a whole handoff from them.',
      S9: 'A summary by a model is compared with the record before use: quotations, paths, numbers, outcomes and important facts. Wrong lines go, missing ones are added, and a report lists both.',
      S10: 'A handoff tells of each request what came of it, then the state, what is open and the rules that hold. Each line says who said it, and nothing quoted can pass for somebody else.',
    },
  },
  {
    title: 'The new list',
    promises: {
      A1: 'One block carries the handoff and says that it is for reference: nothing in it is an instruction, and the newest message after it wins. Blocks of earlier compressions, of other tools too, are recognised and replaced.',
      A2: 'At the first compression the system prompt gets a note that explains handoffs, once.',
      A3: 'Roles alternate as strict providers demand; where no role fits, the handoff joins the message after it.',
      A4: 'Results without a call go; calls without a result go or get a substitute, except for those that are still running.',
      A5: 'A result that would not be smaller is refused or reduced further, and the report says which.',
      A6: 'Every summary knows the messages that it covers, and each of them comes back byte for byte by its ref.',
      A7: 'A message that a person pins stays word for word in every later context, within a budget.',
    },
  },
  {
    title: 'Failures of a compression',
    promises: {
      F1: 'No failure loses a message. If the model fails, the ledger writes the handoff, and the handoff says so.',
      F2: 'If the model for summaries fails, the main one is tried once; then pauses follow that depend on the failure and survive a restart. A person who asks is not kept waiting by them.',
      F3: 'Whenever a process dies, the session is as before the compression or as after it.',
      F4: 'Two processes never compress the same session at once.',
      F5: 'A compression that a person asked for names every failure and what it means.',
    },
  },
  {
    title: 'Sessions',
    promises: {
      L1: 'One database holds sessions, messages and two search indexes. Each message is stored once, however many sessions show it.',
      L2: 'A compression ends a session and opens its continuation in one transaction.',
      L3: 'The newest continuation of a session is found also past loops and very long chains; branches and sub-agents are not taken for it.',
      L4: 'A list has one row a conversation. Titles are unique and cleaned, and a prefix of an id or a title leads to the newest session.',
      L5: 'Tokens, calls and cost add up for every source.',
      L6: 'Eight families of transcripts are read and written, and a round trip loses nothing that the format can hold.',
    },
  },
  {
    title: 'The gateway',
    promises: {
      H1: 'A gateway compresses before it handles a request, independently of the client.',
      H2: 'After a failure it waits longer each time, per conversation, and warns if the context stays close to the limit.',
      H3: 'If a client or provider compacts by itself, the conversation goes on from its result and nothing is compressed twice.',
    },
  },
  {
    title: 'Prompt cache',
    promises: {
      C1: 'At most four cache marks are set, on a copy, at the places that the provider accepts, and never on an empty text.',
      C2: 'Marks live five minutes or an hour. They are on for Claude over Anthropic or OpenRouter, and the command line says so.',
      C3: 'The system prompt stays the same byte for byte during a session, so that the cache still hits after a compression.',
      C4: 'Marks and the moment of a rewrite can follow from prices; `simulate` compares policies on a transcript of yours.',
      C5: "Where prices say so, the conversation's own model writes the summary as a continuation of the cached prompt.",
    },
  },
  {
    title: 'Usage and cost',
    promises: {
      U1: 'The usage reports of all providers are brought into one form; a reported zero is not the same as no report.',
      U2: 'Usage of a session and over time is shown by model, source and day, with cost and what the cache saved. A price that nobody knows is shown as unknown.',
      U3: 'Calls, compressions and searches can be traced with OpenTelemetry where it is installed.',
    },
  },
  {
    title: 'Failures of a provider',
    promises: {
      O1: 'Errors of providers are classified by rules over status, body and cause, in English and Chinese.',
      O2: 'Each class has its cure, with few repetitions: a prompt that is too long is compressed, an output limit is lowered for this call, and a malformed request is never compressed.',
      O3: 'A window that a provider named is kept on disk, a guessed one in memory. When nothing helps, the error says what a person can do.',
      O4: 'A provider that hangs or falls silent is given up with advice, and nothing that was said is lost. Windows come from the configuration, the server, the table of models, or from trying lower ones.',
    },
  },
  {
    title: 'Tool results',
    promises: {
      R1: 'A result or a turn of results that is too large is saved whole; its size, its place and its beginning stand in for it. The limits shrink with the window.',
      R2: 'What is saved stays inside its place and is checked after writing. If it cannot be saved, the result is shortened and says so.',
      R3: 'Saved results can be searched and read by lines, by the model and by a person.',
    },
  },
  {
    title: 'System prompt',
    promises: {
      Y1: 'The system prompt is put together once a session, in a fixed order, and again only at a compression or a new session.',
      Y2: 'Recalled text stands behind a fence in the current request only and is never stored.',
      Y3: 'Rarely used tools wait behind a search tool when their definitions take too much of the window.',
    },
  },
  {
    title: 'Memory',
    promises: {
      M1: 'Two small files hold what the agent and its user want remembered. The model changes them with one tool; the prompt shows them as they were at its start.',
      M2: 'What is written to memory is checked for attacks and secrets and written safely; edits by hand are kept.',
      M3: 'Memory services of others plug in behind one contract, at most one at a time, each with time limits.',
      M4: 'Recalled text never appears in what a user sees, however the stream is cut.',
      M5: 'Entries have types, dates and sources, and a curator merges and retires them.',
    },
  },
  {
    title: 'Search',
    promises: {
      Q1: 'The model searches everything that was said: words, phrases, operators, beginnings, Chinese, Japanese and Korean. No query raises; hits are grouped by conversation and summarised or shown as passages.',
      Q2: 'Search also uses meaning, time, neighbours and filters, finds what left the context, and reads on around a hit.',
      Q3: 'A rare name that was said is among the first ten hits at least as often as with plain BM25.',
    },
  },
  {
    title: 'Trajectories',
    promises: {
      J1: 'Training conversations are compressed to a size with pairs of calls kept whole, and metrics are written.',
      J2: 'Whole folders are done at once: in parallel, with retries, and resumed after a crash.',
      J3: 'What is worth least per token goes first, and loss masks are exact.',
    },
  },
  {
    title: 'Ways to use it',
    promises: {
      K1: 'A chat on the command line has commands to compress, resume, search and look at usage.',
      K2: 'The same abilities exist as a library, as middleware of the AI SDK, as an HTTP gateway and as an MCP server.',
      K3: 'A page shows what is in the window and why, and replays a past request.',
    },
  },
];
