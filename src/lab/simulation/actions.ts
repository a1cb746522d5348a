/** The actions of scenario steps: requests to the API server as `user`, and faults. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/index.ts';
import { isRuleWarning } from '../../apiserver/machinery/index.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import type { Fault } from '../faults/index.ts';
import { PRIVILEGED } from '../../apiserver/access/index.ts';
import type { ExpectedError, FaultCall, Requester, WritingAction } from '../scenario/index.ts';
import { mayBeRefused, USER_NAME, requestsFor } from './requests.ts';
import type { Trouble } from './run.ts';

const refusal = ({ code, status: { reason = '', message = '', details } }: Extract<ApiResponse, { ok: false }>): Trouble => {
  const causes = (details?.causes ?? []).map((cause) => `  ${cause.field ?? ''}: ${cause.message ?? ''}`);
  // The message of an invalid object repeats all its causes, which the details list.
  const end = causes.length > 0 ? message.indexOf(' is invalid: ') : -1;
  return {
    message: `the server refused it: ${code} ${reason}: ${end < 0 ? message : `${message.slice(0, end)} is invalid`}`,
    detail: causes,
  };
};

/** A write of a step: who makes it, and the code of its answer where the step says it. */
type Asked = WritingAction & { readonly as?: Requester; readonly code?: number };

/** Makes the writes; stops at the first answer that is not expected. `lintWarning` is called for rules that a write breaks and that the server does not enforce. */
export function performWrite(
  cluster: Cluster,
  action: Asked,
  causes: readonly number[],
  lintWarning: (text: string) => void,
): Trouble | undefined {
  const requests = requestsFor(cluster, action);
  if ('message' in requests) return requests;
  for (const request of requests) {
    const response = cluster.request(action.as?.user ?? USER_NAME, askedBy(request, action.as), causes);
    for (const text of response.warnings ?? []) if (isRuleWarning(text)) lintWarning(text);
    const trouble = action.code === undefined ? undefined : otherAnswer(response, action.code);
    if (trouble !== undefined) return trouble;
    if (action.code === undefined && !response.ok && !mayBeRefused(action, response.code)) return refusal(response);
  }
  return undefined;
}

function askedBy(request: ApiRequest, as: Requester | undefined): ApiRequest {
  if (as === undefined) return request;
  const { user, userAgent } = as;
  const manager = userAgent?.split('/', 1)[0] ?? user;
  const named = 'fieldManager' in request ? { fieldManager: manager } : {};
  return { ...request, user: { name: user, groups: [PRIVILEGED] }, ...(userAgent === undefined ? {} : { userAgent }), ...named };
}

const isSuccess = (code: number): boolean => code < 300;

function otherAnswer(response: ApiResponse, code: number): Trouble | undefined {
  if (response.ok ? isSuccess(code) : response.code === code) return undefined;
  const found = response.ok ? `the server accepted it (${response.code})` : refusal(response).message;
  return { message: `expected the answer ${code}, but ${found}`, detail: response.ok ? [] : refusal(response).detail };
}

export function performRefused(
  cluster: Cluster,
  action: WritingAction,
  expected: ExpectedError,
  causes: readonly number[],
): Trouble | undefined {
  const requests = requestsFor(cluster, action);
  if ('message' in requests) return requests;
  for (const request of requests) {
    const response = cluster.request(USER_NAME, request, causes);
    const wanted = `an error${expected.code === undefined ? '' : ` ${expected.code}`}`;
    if (response.ok) return { message: `expected ${wanted}, but the server accepted it`, detail: [] };
    const { code, status } = response;
    const fields = (status.details?.causes ?? []).map((cause) => cause.field ?? '');
    const { reason, message } = status;
    const wrong = [
      expected.code === undefined || expected.code === code || `  code     expected ${expected.code}  found ${code}`,
      expected.reason === undefined || expected.reason === reason || `  reason   expected ${expected.reason}  found ${reason ?? 'none'}`,
      expected.field === undefined ||
        fields.includes(expected.field) ||
        `  field    expected ${expected.field}  found ${fields.join(', ') || 'none'}`,
      expected.message === undefined ||
        message?.includes(expected.message) === true ||
        `  message  expected to contain ${expected.message}  found ${message ?? 'none'}`,
    ].filter((line) => line !== true);
    if (wrong.length > 0) return { message: 'the server refused it with another error than expected', detail: wrong };
  }
  return undefined;
}

/** Formats the parameters of a fault as a scenario writes them: `by: 3s, for: 10s, kinds: [Pod]`. */
const textOf = ({ parameters: fields }: Fault, { parameters }: FaultCall): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const isDuration = Object.hasOwn(fields, name) && fields[name]?.type === 'duration' && typeof value === 'number';
      const text = isDuration
        ? formatDurationMs(value)
        : Array.isArray(value)
          ? `[${value.join(', ')}]`
          : typeof value === 'string'
            ? value
            : JSON.stringify(value);
      return `${name}: ${text}`;
    })
    .join(', ');

export function performFault(
  cluster: Cluster,
  faults: readonly Fault[],
  call: FaultCall,
  causes: readonly number[] = [],
): Trouble | undefined {
  const fault = faults.find(({ name }) => name === call.name);
  if (fault === undefined) return { message: `there is no fault named ${call.name}`, detail: [] };
  const done = fault.apply(cluster, call, causes);
  if ('error' in done) return { message: done.error, detail: [] };
  const { name, subject, parameters } = call;
  cluster.note({ type: 'fault', causes, fault: name, detail: done.detail, given: { subject, parameters, text: textOf(fault, call) } });
  return undefined;
}
