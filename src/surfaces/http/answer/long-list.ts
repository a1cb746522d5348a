/**
 * Streams long lists: head, items in slices as the client reads them, tail. The bytes are the same as in one piece. One piece would block
 * other requests, and may be larger than the longest string.
 */
import type { HttpReply, StreamReply } from '../message.ts';
import type { Format } from '../request/accept.ts';
import { headersOf, lineEnd, reply } from './encode.ts';
import { jsonText, plainJson } from './json.ts';
import { listAs, type Listed, type Transform } from './transform.ts';
import { toYaml } from './yaml.ts';

/** Up to so many items a list is written in one piece: a page of kubectl. */
const SHORT_LIST = 500;
/** Items that are written at most between two looks at whether the client reads. */
const SLICE = 20;
/** Characters after which somebody else has a turn: large items come one by one. */
const TURN = 128 * 1024;

/** Items of the next slice, by the length of the last one's text. */
const nextSlice = (items: number, length: number): number => Math.max(1, Math.min(SLICE, Math.floor((items * TURN) / Math.max(length, 1))));

export const listReply = (status: number, list: Listed, transform: Transform, warnings: readonly string[] = []): HttpReply =>
  list.items.length > SHORT_LIST
    ? longListReply(status, list, transform, warnings)
    : reply(status, listAs(list, transform), transform.format, warnings);

/** A reply that is written slice by slice. Objects never change, so that it tells of one moment however long it takes. */
export function longListReply(status: number, list: Listed, transform: Transform, warnings: readonly string[] = []): StreamReply {
  const { format } = transform;
  const [member, envelope] = envelopeOf(listAs({ ...list, items: list.items.slice(0, 1) }, transform));
  const [head, tail] = around(member, envelope, format);
  const itemsFrom = (from: number, items: number): readonly unknown[] => {
    const made = listAs({ ...list, items: list.items.slice(from, from + items) }, transform) as Readonly<Record<string, unknown>>;
    return made[member] as readonly unknown[];
  };
  const count = list.items.length;
  return {
    status,
    headers: headersOf(format, warnings),
    finite: true,
    open(sink) {
      let [next, slice, gone] = [0, 1, false];
      const go = (): void => {
        if (gone) return;
        let written = 0;
        while (next < count) {
          if (sink.full === true && sink.drained !== undefined) return sink.drained(go);
          if (written > TURN && sink.inTurn !== undefined) return sink.inTurn(go);
          const text = itemsFrom(next, slice)
            .map((item, at) => itemText(item, next + at, format))
            .join('');
          next += slice;
          slice = nextSlice(slice, text.length);
          written += text.length;
          sink.write(text);
        }
        sink.write(tail);
        sink.end();
      };
      sink.write(head);
      go();
      return () => {
        gone = true;
      };
    },
  };
}

/** Returns the member with the items, and the list without it. */
function envelopeOf(made: unknown): readonly [string, Readonly<Record<string, unknown>>] {
  const list = made as Readonly<Record<string, unknown>>;
  const member = 'rows' in list ? 'rows' : 'items';
  return [member, { ...list, [member]: [] }];
}

/** Returns the text before the first item and after the last. */
function around(member: string, envelope: object, { media, pretty }: Format): readonly [string, string] {
  if (media === 'yaml') {
    const text = toYaml(plainJson(envelope));
    const empty = `${member}: []\n`;
    // Only members of the list itself are at the start of a line.
    const at = text.startsWith(empty) ? 0 : text.indexOf(`\n${empty}`) + 1;
    return [`${text.slice(0, at)}${member}:\n`, text.slice(at + empty.length)];
  }
  const text = jsonText(envelope, pretty);
  // The items are the last member.
  const at = text.lastIndexOf('[]');
  return [text.slice(0, at + 1), `${pretty ? '\n  ' : ''}${text.slice(at + 1)}${lineEnd(pretty)}`];
}

function itemText(item: unknown, index: number, { media, pretty }: Format): string {
  if (media === 'yaml') return toYaml(plainJson([item]));
  const comma = index === 0 ? '' : ',';
  return pretty ? `${comma}\n    ${jsonText(item, true).replaceAll('\n', '\n    ')}` : `${comma}${jsonText(item)}`;
}
