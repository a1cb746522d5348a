/** Slow, failing and cut connections between a process and the server. */
import { cutOff, refusal, setWrong } from './helpers.ts';
import type { Fault } from './fault.ts';
import { durationField, kindsField, kindsOf, milliseconds, noProcess, planEnd, processField, subjectText } from './parameters.ts';

export const lag: Fault = {
  name: 'lag',
  description: 'Delays what a process sees: its caches fall behind.',
  overlap: 'Lags add up. Events that a partition holds back arrive at its end, delayed by the lags.',
  subject: processField,
  parameters: {
    by: { ...durationField('Extra delivery time.'), required: true },
    for: durationField('How long; absent: until the end.'),
    kinds: kindsField,
  },
  apply(cluster, call) {
    const name = subjectText(call);
    if (cluster.runtime.process(name) === undefined) return noProcess(cluster, name);
    const by = milliseconds(call, 'by') ?? 0;
    const kinds = kindsOf(call);
    const forMs = milliseconds(call, 'for');
    const what = kinds === undefined ? 'changes' : `changes of ${[...kinds].join(', ')}`;
    const lift = cluster.addFaults({
      notice: { process: name, says: `sees ${what} ${by / 1000} s late`, ...(forMs === undefined ? {} : { until: cluster.now + forMs }) },
      describe: () => ['lag', name, by, kinds === undefined ? 'all' : [...kinds]],
      delivery: (process, change) => (process === name && (kinds === undefined || kinds.has(change.kind)) ? by : undefined),
    });
    planEnd(cluster, forMs, `the lag of ${name} ends`, lift);
    return { detail: `${name} sees changes ${by} ms late` };
  },
};

export const failRequest: Fault = {
  name: 'failRequest',
  description: 'Refuses requests of a process, or handles them and loses the answer.',
  overlap: 'A request is refused if any fault refuses it, and each fault counts it. A refused request has no response to lose.',
  subject: processField,
  parameters: {
    times: { type: 'integer', minimum: 1, description: 'How many; default 1.' },
    code: { type: 'integer', minimum: 400, maximum: 599, description: 'The answer; default 500.' },
    verb: { type: 'string', enum: ['create', 'update', 'patch', 'delete'], description: 'Only this verb.' },
    kinds: kindsField,
    loseResponse: { type: 'boolean', description: 'The request is handled, only its answer is lost.' },
  },
  apply(cluster, call) {
    const name = subjectText(call);
    if (cluster.runtime.process(name) === undefined) return noProcess(cluster, name);
    const { times, code, verb, loseResponse } = call.parameters;
    const kinds = kindsOf(call);
    let left = typeof times === 'number' ? times : 1;
    const lift = cluster.addFaults({
      describe: () => ['failRequest', name, left, { ...call.parameters }],
      request({ by, request }) {
        if (
          by.process !== name ||
          left === 0 ||
          (typeof verb === 'string' && request.verb !== verb) ||
          (kinds !== undefined && !kinds.has(request.kind))
        )
          return undefined;
        if (--left === 0) lift();
        return loseResponse === true ? { loseResponse: true } : { fail: refusal(typeof code === 'number' ? code : 500) };
      },
    });
    return {
      detail: `the next ${left === 1 ? 'request' : `${left} requests`} of ${name} ${loseResponse === true ? 'will lose the answer' : 'will fail'}`,
    };
  },
};

export const partition: Fault = {
  name: 'partition',
  description: 'Cuts a process off: its requests time out and it sees nothing until the end.',
  overlap: 'The process is cut off until the latest end.',
  subject: processField,
  parameters: { for: { ...durationField('How long.'), required: true } },
  apply(cluster, call) {
    const name = subjectText(call);
    if (cluster.runtime.process(name) === undefined) return noProcess(cluster, name);
    cutOff(cluster, name, milliseconds(call, 'for') ?? 0);
    return { detail: `${name} is cut off` };
  },
};

export const skew: Fault = {
  name: 'skew',
  description: 'Shifts the clock of a process.',
  overlap: 'The last one counts; when it ends, the one before it that still lasts.',
  subject: processField,
  parameters: {
    by: { ...durationField('How far it is ahead.'), required: true },
    behind: { type: 'boolean', description: 'Behind instead of ahead.' },
  },
  apply(cluster, call) {
    const process = cluster.runtime.process(subjectText(call));
    if (process === undefined) return noProcess(cluster, subjectText(call));
    const by = milliseconds(call, 'by') ?? 0;
    setWrong(cluster, process.spec.name, call.parameters['behind'] === true ? -by : by);
    return { detail: `the clock of ${process.spec.name} is ${by} ms ${call.parameters['behind'] === true ? 'behind' : 'ahead'}` };
  },
};
