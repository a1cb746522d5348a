/**
 * A cluster over HTTP, as kubectl and API clients know it. `createApi(options)` is the API as a function from request to reply, which
 * tests and transcripts ask directly; `listen` puts it behind a socket. Reading order: message, call, api, request/, resources, answer/,
 * watch.
 * An area (discovery, health, …) is a file that answers the paths it knows and a line where the API is put together.
 */
export { createApi, type Api, type ApiOptions } from './api.ts';
export type { Area, Call, Guard } from './call.ts';
export { clusterBackend, createListeners, type Backend } from './backend.ts';
export type { HttpReply, HttpRequest, Sink, StreamReply, WholeReply } from './message.ts';
export { manualTimers, realTimers, type ManualTimers, type Timers } from './timers.ts';
export { judgedAccess, type AccessOptions } from './auth/access.ts';
export { accountUser, type Issued } from './reviews/tokens.ts';
export { tokenGuard, type TokenGuardOptions } from './auth/guard.ts';
export { readTokens, type Tokens } from './auth/tokens.ts';
export { listen, type ListenOptions, type Listening } from './node/listen.ts';
export { createSession, type SessionOptions } from './sim/session.ts';
export type { Session, Start } from './sim/world.ts';
export type { ClockMode } from './sim/clock.ts';
export { kubeconfigFor } from './kubeconfig.ts';
