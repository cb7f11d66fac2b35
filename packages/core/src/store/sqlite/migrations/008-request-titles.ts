/**
 * Version 8: what a conversation without a title is called is kept beside it, so that it is found by that as fast as by a
 * title, and not by reading the first request of every conversation.
 */
export const requestTitles = `
alter table sessions add column request_title text;
create index sessions_by_request_title on sessions (request_title) where request_title is not null;
`;
