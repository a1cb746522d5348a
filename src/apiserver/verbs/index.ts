/**
 * The one door to the store: verbs, sub-resources, patches, paging, dry run, admission, deletion with finalizers and grace, and every
 * refusal as a `Status`. Controllers, agents, scenarios and HTTP clients all write through `handle`; nobody else commits.
 * Adding an admission plug-in is a file and a line in `admission/index.ts`; a sub-resource likewise in `subresources/index.ts`.
 */
export { createServer, type Server } from './server.ts';
export { bootstrap } from './bootstrap.ts';
export { describeRequest } from './describe-request.ts';
export { Refusal, failure } from '../request/index.ts';
export { plugins, type AdmissionPlugin, type Attributes } from '../admission/index.ts';
export type { Watch, WatchEvent } from './watch.ts';
export { covers } from '../admission/index.ts';
export { usageOf } from '../admission/index.ts';
export { selectionOf, type Selection } from './selection.ts';
export { noKind, unrecognized } from './unrecognized.ts';
export { deleteOptionsOf, isDryRun } from './options.ts';
export { resourceOf, type Resource } from '../request/index.ts';
export type { Door } from './door.ts';
export type {
  ApiRequest,
  ApiResponse,
  DeleteOptions,
  ObjectList,
  Preconditions,
  PropagationPolicy,
  User,
  Verb,
  WatchRequest,
} from '../request/index.ts';
