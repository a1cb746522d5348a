/**
 * The watchers, as a separate program so that the time and memory of the server are its own: `watchers PORT PATH COUNT EVENTS`. Prints
 * `open` when all streams have begun, and the result when each has received so many events. The first watcher's events are checked one by
 * one; the others must receive the same bytes.
 */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { WATCHED } from './http-watch-names.ts';

/** The results of the watchers. */
export interface Seen {
  /** The number of distinct streams: 1 if all are equal. */
  readonly different: number;
  /** Events of the first watcher in order of their arrival, by the number that the writer gave them. */
  readonly numbers: readonly number[];
  readonly bytes: number;
}

const [port = 0, count = 0, events = 0] = [process.argv[2], process.argv[4], process.argv[5]].map(Number);
const path = process.argv[3] ?? '/';

/** In chunked HTTP, each event is a line with its length, a line with the event, and an end of line. */
const LINES_AN_EVENT = 3;

function watch(first: boolean, opened: () => void): Promise<{ readonly digest: string; readonly text: string; readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nUser-Agent: bench\r\n\r\n`);
    });
    const hash = createHash('md5');
    const parts: Buffer[] = [];
    let head = '';
    let begun = false;
    let lines = 0;
    let bytes = 0;
    socket.on('data', (data) => {
      let body = data;
      if (!begun) {
        head += data.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        begun = true;
        body = data.subarray(data.length - (head.length - end - 4));
        opened();
      }
      hash.update(body);
      bytes += body.length;
      if (first) parts.push(body);
      for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) lines += 1;
      if (lines < events * LINES_AN_EVENT) return;
      socket.destroy();
      resolve({ digest: hash.digest('hex'), text: Buffer.concat(parts).toString('utf8'), bytes });
    });
    socket.on('error', reject);
    socket.on('end', () => {
      reject(new Error(`a watch ended after ${lines / LINES_AN_EVENT} of ${events} events`));
    });
  });
}

let open = 0;
const opened = (): void => {
  if (++open === count) process.send?.('open');
};
const results = await Promise.all(Array.from({ length: count }, (_, at) => watch(at === 0, opened)));
const numbers = (results[0]?.text ?? '')
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) =>
    Number((JSON.parse(line) as { readonly object: { readonly data: Readonly<Record<string, string>> } }).object.data[WATCHED]),
  );
const seen: Seen = {
  different: new Set(results.map(({ digest }) => digest)).size,
  numbers,
  bytes: results.reduce((sum, { bytes }) => sum + bytes, 0),
};
process.send?.(seen);
process.disconnect?.();
