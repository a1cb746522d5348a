/** Describes each operation in a sentence, for the published documents. */

/** `of`: the kind, and the part of the object if the operation is not about all of it. */
export function sentenceFor(action: string, kind: string, part: string | undefined): string {
  const whole = part === undefined ? `the ${kind}` : `the ${part} of the ${kind}`;
  switch (action) {
    case 'get':
      return `Reads ${whole} that has this name.`;
    case 'list':
      return `Lists objects of kind ${kind}, or follows their changes where watch is set.`;
    case 'post':
      return `Creates ${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}.`;
    case 'put':
      return `Replaces ${whole} that has this name.`;
    case 'patch':
      return `Changes some fields of ${whole} that has this name.`;
    case 'delete':
      return `Deletes the ${kind} that has this name, at once or when its finalizers are gone.`;
    default:
      return `Deletes every ${kind} that the selectors choose.`;
  }
}
