/** `@palimpsest/core/memory`: what is remembered beyond sessions. */

export { fence, sanitize, unfence } from './memory/fence/fence.ts';
export { createScrubber, type Scrubber, scrub, scrubbed } from './memory/fence/scrubber.ts';
