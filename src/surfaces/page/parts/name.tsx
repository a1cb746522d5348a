/** A name, whole wherever there is room: else its beginning is cut, because its end distinguishes it from its siblings. */

/** Letters of an end that is always shown. */
const LONGEST_END = 10;

export function Name({ of }: { readonly of: string }) {
  const end = /.-[^-]+$/.exec(of)?.[0].slice(1) ?? '';
  const tail = end.length <= LONGEST_END ? end : '';
  return (
    <span class="whole">
      <span>{of.slice(0, of.length - tail.length)}</span>
      {tail !== '' && <span>{tail}</span>}
    </span>
  );
}
