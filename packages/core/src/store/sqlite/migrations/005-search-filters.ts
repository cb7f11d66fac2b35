/** Version 5: what was said at a time or by a role is found without reading every place of a word. */
export const searchFilters = `
create index entries_by_time on entries (time);
create index messages_by_role on messages (role);
`;
