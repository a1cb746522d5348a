/** Field definitions that the format uses often. */

export const text = (description: string) => ({ type: 'string', description }) as const;
export const integer = (description: string, minimum = 0) => ({ type: 'integer', minimum, description }) as const;
export const duration = (description: string) => ({ type: 'duration', description }) as const;
export const flag = (description: string) => ({ type: 'boolean', description }) as const;
export const texts = (description: string) =>
  ({ type: 'list', items: { type: 'string', description: 'One of them.' }, description }) as const;
export const labels = (description: string) =>
  ({ type: 'map', values: { type: 'string', description: 'The value, a text.' }, description }) as const;
export const exitCode = { type: 'integer', minimum: 0, maximum: 255, description: 'An exit code.' } as const;
export const exitCodes = (description: string) => ({ type: 'list', items: exitCode, orOne: true, minItems: 1, description }) as const;
export const objectName = (description: string) =>
  ({
    type: 'string',
    pattern: { source: '^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$', means: 'a name of lower case letters, digits, - and .' },
    description,
  }) as const;
