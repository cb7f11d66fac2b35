/**
 * Version 4: vectors of messages, for searching by meaning. They can always be made again from the messages.
 *
 * A row tells that a model has seen a message; its body is empty where the message takes no part. They are no part of the
 * messages' own rows, since most stores have none, and whoever reads messages should not read past them.
 */
export const vectors = `
create table vector_models (
  seq integer primary key,
  name text not null unique,
  dimensions integer not null
) strict;

create table vectors (
  seq integer primary key,
  model integer not null references vector_models (seq) on delete cascade,
  message integer not null references messages (seq) on delete cascade,
  body blob not null
) strict;

create unique index vectors_by_message on vectors (model, message);
create index vectors_of_message on vectors (message);
`;
