/**
 * A cluster over HTTP, for kubectl and API clients. `createApi(options)` is the API as a function from request to reply, which tests and
 * transcripts call directly; `listen` serves it on a socket. Reading order: message, call, api, request/, resources, answer/, watch. An
 * area (discovery, health, …) is a file that answers its paths, and a line in `createApi`.
 */
export { createApi, type Api, type ApiOptions } from './api.ts';
export { registerLocal } from './aggregator.ts';
export { clusterBackend, createListeners, type Backend } from './backend.ts';
export type { HttpReply, HttpRequest, Timers, WholeReply } from './message.ts';
export { rbacAccess } from './auth/access.ts';
export { tokenGuard } from './auth/guard.ts';
export { readTokens, type Tokens } from './auth/guard.ts';
export { createGate, serverHosts, readOrigin } from './gate.ts';
export { listen, type ListenOptions, type Listening } from './node/listen.ts';
export { createSession, type SessionOptions } from './sim/session.ts';
export type { Session } from './sim/routes.ts';
export { createWorlds } from './sim/worlds.ts';
export { simulatorOperations } from './sim/openapi.ts';
export type { ClientEvent } from './clients/client-faults.ts';
export type { ClockMode } from './sim/clock.ts';
export { kubeconfigFor, type Credentials } from './kubeconfig.ts';
export { askingPrograms, readWebhookRoute } from './webhooks/index.ts';
export { type Authority, createAuthority } from './tls/index.ts';
