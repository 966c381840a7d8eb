/** A person of the operator: conversion of a row to the response, and the operations that read people. */
import { resource } from '../platform/http/resource.ts';
import type { PersonRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { Person } from './schema.ts';

/** A person without the password. */
export function toPerson(row: PersonRow): Person {
  return {
    userId: row.user_id,
    name: row.name,
    state: row.state,
    ...(row.language !== null && { language: row.language }),
    createdAt: formatDateTime(row.created_at),
    updatedAt: formatDateTime(row.updated_at),
  };
}

export const people = resource({
  name: 'person',
  table: 'people',
  id: 'user_id',
  path: '/operator/v1/people/{userId}',
  example: '/operator/v1/people/otto',
  access: { auth: 'operator', permission: 'installation' },
  schema: Person,
  show: toPerson,
});

/** Reads a person of the operator. */
export const getPerson = people.get({
  id: 'getPerson',
  since: '0.3.0',
  summary: 'Read a person of the operator',
  description: 'Returns a person of the operator, without the password. You can send the body back with PUT.',
});

/** Lists the people of the operator. */
export const listPeople = people.list({
  id: 'listPeople',
  since: '0.3.0',
  summary: 'List the people of the operator',
  description:
    'Lists the people of the operator in the order of their logins, a page at a time; `next` is the `after` of the next page.',
});
