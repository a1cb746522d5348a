/**
 * Authorization: roles and cluster roles, the bindings that grant them, and the decision with its reason in upstream's words. It reads the
 * store and is independent of requests. The server, the HTTP surface and scenarios use it. Models: v1.24 plugin/pkg/auth/authorizer/rbac.
 */
export { type AccessQuestion, aggregatedRules, decideAccess, PRIVILEGED, referredRole, rulesFor } from './authorizer.ts';
export { describeMissing, uncoveredRules } from './cover.ts';
export { builtInRoles } from './built-in/index.ts';
