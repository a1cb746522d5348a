/**
 * Parses a line of an audit log as far as it is needed: a server writes the members in one order, with the bodies between who asked and when, and
 * the bodies are nearly all of it. Of a line without meaning for a run both are skipped, of a component's write what it sent, where the answer is
 * the object. What is not in that order is parsed whole.
 */
import { isMapping, jsonIn, membersOf } from '../../schema/values/index.ts';
import { LEFT_OUT as SAYS_NOTHING } from '../invariants/index.ts';
import { componentOf } from './authors.ts';
import { leftOutBy, type Members, type Ref, refOf, textIn, userOf } from './records.ts';

type KindOf = (ref: Ref) => string | undefined;

const SENT = ',"requestObject":';
const ANSWERED = ',"responseObject":';
const TIMES = ',"requestReceivedTimestamp":';

/** Returns the event, or the list of events, of a line; undefined: it is no JSON. */
export function parseLine(text: string, kindOf: KindOf): unknown {
  // Quotes inside texts are escaped, so these are members; if they are not those of the event, what stands before them is no JSON by itself.
  const [sent, answered] = [text.indexOf(SENT), text.indexOf(ANSWERED)];
  const bodies = sent < 0 ? answered : sent;
  const head = bodies < 0 ? undefined : jsonIn(`${text.slice(0, bodies)}}`);
  if (!isMapping(head) || textIn(head, 'verb') === undefined || !isMapping(head['user'])) return jsonIn(text);
  const needed = neededOf(head, kindOf);
  const from = needed === 'times' ? text.lastIndexOf(TIMES) : needed === 'answer' && answered > bodies ? answered : bodies;
  const rest = from < 0 ? undefined : jsonIn(`{${text.slice(from + 1)}`);
  if (!isMapping(rest)) return jsonIn(text);
  // The answer of some requests is a Status.
  if (from === answered && from > bodies && textIn(membersOf(rest['responseObject']), 'kind') !== kindIn(head, kindOf)) return jsonIn(text);
  return { ...head, ...rest };
}

const kindIn = (head: Members, kindOf: KindOf): string | undefined => {
  const ref = refOf(membersOf(head['objectRef']));
  return ref === undefined ? undefined : kindOf(ref);
};

/** What of the bodies of a line is read. */
function neededOf(head: Members, kindOf: KindOf): 'times' | 'answer' | 'all' {
  if (leftOutBy(head) !== undefined) return 'times';
  const ref = refOf(membersOf(head['objectRef']));
  if (ref === undefined || componentOf(userOf(head), textIn(head, 'userAgent') ?? '') === undefined) return 'all';
  if (SAYS_NOTHING.has(kindOf(ref) ?? '')) return 'times';
  const { code } = membersOf(head['responseStatus']);
  const isObject = ref.subresource === undefined || ref.subresource === 'status';
  return head['verb'] !== 'delete' && isObject && typeof code === 'number' && code < 300 ? 'answer' : 'all';
}
