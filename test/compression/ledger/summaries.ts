/** Summaries of the recorded session `debugging-en`, as models write them: under our headings, and under other ones. */

/** Under the headings that our prompt asks for. */
export const ownForm = `## Active Task
"Good. Keep 2.4.0 on the branch until I have the keys on all 14 machines. What remains on your list?" (m67): answered.

## Goal
Stop mailq from sending invoices twice after a restart, then sign the confirmations of the webhook.

## Constraints & Preferences
- Never change the format of the journal lines: the billing report reads them.
- Never send anything.

## Completed Actions
1. Found the cause with \`var/journal.jsonl\`: the webhook wrote ids as texts, \`Journal\` looked for numbers, so confirmed jobs stayed open (m16).
2. Made \`parseEvent\` in \`src/journal.js\` read both, and tagged the fix as v2.3.2 (m47, m53).
3. Wrote \`src/signature.js\` with \`isSigned\` and \`parseKeys\`, and wired it into \`src/webhook.js\` (m61).
   - A first run failed: \`test/queue.test.js\` called \`webhook(queue)\` without keys (m61).
   - After the change to that test all tests passed (m63).

## Active State
Branch \`signed-webhook\`, last commit c28bfc8; main is at v2.3.2.

## In Progress
Nothing is under way: \`signed-webhook\` waits for \`MAILQ_WEBHOOK_KEYS\` on all machines.

## Blocked
None

## Key Decisions
- Keys come from \`MAILQ_WEBHOOK_KEYS\` as \`id:key\` pairs, so that two can hold during a change.
- Without keys the port stays closed, because whoever reached port 8093 could suppress any mail.

## Remaining Work
- Merge \`signed-webhook\` and tag 2.4.0 once the keys are there.
- Call \`truncateSync\` only after the broken last line was copied away.

## Critical Context
\`\`\`js
const [, id, hex] = /^([^=]+)=([0-9a-f]+)$/i.exec(header ?? '') ?? [];
\`\`\`
`;

/** Under headings of another tool, which thinks aloud first. */
export const otherForm = `Analysis:
The user reported doubled invoices. I looked at the journal first.

Summary:
1. Primary Request and Intent:
   The user wants to know why customers get invoices twice, and then signed confirmations.

2. Key Technical Concepts:
   - An append-only journal of jobs
   - HMAC-SHA256 over the path

3. Files and Code Sections:
   - \`src/journal.js\`
     - \`parseEvent\` reads ids as numbers, whoever wrote them
   - \`src/signature.js\`
     - New, with \`isSigned\`:
     \`\`\`js
     export function parseKeys(text) {
       return new Map(pairs.map((pair) => {
     \`\`\`

4. Errors and fixes:
   - \`TypeError: Cannot read properties of undefined (reading 'size')\`: fixed by passing keys in \`test/queue.test.js\`

6. All user messages:
   - "Since last Tuesday some customers get the same invoice twice."

7. Pending Tasks:
   - Tag 2.4.0 when \`MAILQ_WEBHOOK_KEYS\` is set on all machines

8. Current Work:
   The branch \`signed-webhook\` is complete, c28bfc8 is its last commit.
`;
