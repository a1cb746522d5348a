/**
 * `/logs`: files below /var/log of the server's machine, which the simulator does not have. The routes declare no media type, so only
 * clients that accept any type get an answer. Models: apiserver pkg/server/routes logs.go, go-restful jsr311.go.
 */
import type { Area } from '../call.ts';
import { text } from '../message.ts';
import { methodNotAllowed, notAcceptable } from '../refusals.ts';
import { takesAnything } from '../request/accept.ts';

const NO_FILES = '<pre>\n</pre>\n';

export const logs: Area = ({ path, http: { method, headers } }) => {
  if (path !== '/logs' && !path.startsWith('/logs/')) return undefined;
  if (method !== 'GET') throw methodNotAllowed();
  if (!takesAnything(headers['accept'])) throw notAcceptable();
  return path === '/logs' || path === '/logs/' ? text(200, NO_FILES, 'text/html; charset=utf-8') : undefined;
};
