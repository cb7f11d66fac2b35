/** Version 6: when a lease was given, so that one from the time before a clock was set back is not waited for. */
export const leaseAge = `
alter table leases add column given_at integer not null default 0;
`;
