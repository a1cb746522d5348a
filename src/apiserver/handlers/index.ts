/**
 * The request handlers: the only module that writes to the store. It contains reads and writes, sub-resources, patches, paging, dry run,
 * admission, deletion with finalizers and grace periods, and every refusal as a `Status`. Controllers, agents, scenarios and HTTP clients
 * all write through `handle`. A new admission plug-in is a file and a line in `admission/index.ts`; a new sub-resource likewise in
 * `subresources/index.ts`.
 */
export { createServer, type Server } from './server.ts';
export { MAX_OBJECTS } from '../write/index.ts';
export { bootstrap, createBootstrapObjects, createDefinitions } from './bootstrap.ts';
export { readStored, RESTORE, restoreObjects, revisionOf } from './restore.ts';
export type { Watch, WatchEvent } from './watch.ts';
export { plansFor, staticErrors } from './static-check.ts';
export { noKind, unrecognized } from './body.ts';
export { checkTerms } from './selection.ts';
export { deleteOptionsOf } from './deletion.ts';
export { recurring } from './writes.ts';
export { BODY_FORMS } from './subresources/index.ts';
