/**
 * Forms that no suffix rule brings together: past tenses and plurals of everyday English words, by their base form. Forms
 * that are more often another word (rose, bit, lives) are left out.
 */
const table = `
go went gone; buy bought; take took taken; get got gotten; make made; see saw seen; say said; tell told; think thought;
come came; give gave given; find found; feel felt; leave left; keep kept; begin began begun; write wrote written; meet met;
run ran; win won; lose lost; teach taught; catch caught; bring brought; build built; send sent; spend spent; sell sold;
speak spoke spoken; break broke broken; choose chose chosen; drive drove driven; ride rode ridden; fall fell fallen;
grow grew grown; know knew known; draw drew drawn; fly flew flown; throw threw thrown; wear wore worn; eat ate eaten;
drink drank drunk; sing sang sung; swim swam swum; sleep slept; hold held; hear heard; stand stood;
understand understood; pay paid; sit sat; lead led; become became; forget forgot forgotten; hang hung; stick stuck;
fight fought; seek sought; lend lent; bend bent; deal dealt; mean meant; dream dreamt; learn learnt; burn burnt;
steal stole stolen; shake shook shaken; wake woke woken; freeze froze frozen; hide hid hidden; shoot shot; sink sank sunk;
spin spun; swear swore sworn; tear tore torn; weave wove woven; blow blew blown; forgive forgave forgiven; child children;
woman women; man men; foot feet; tooth teeth; mouse mice; person people; wife wives; knife knives
`;

/** The base form of each irregular one. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  table.split(';').flatMap((line) => {
    const [base = '', ...forms] = line.trim().split(/\s+/);
    return forms.map((form) => [form, base] as const);
  }),
);
